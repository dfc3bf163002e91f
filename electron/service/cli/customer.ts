/** `customer show|export|correct|adjust|reverse|redeem|merge|link|unlink|erase`: a customer and their points. */
import { parsePhone } from '../../contract/phone.ts'
import { parseCorrection } from '../domain/customers.ts'
import { systemRandomBytes } from '../domain/identifiers.ts'
import { Refusal } from '../domain/refusal.ts'
import { CustomerStore } from '../store/customers.ts'
import { DeviceStore } from '../store/devices.ts'
import { Identities, type CustomerExport } from '../store/identities.ts'
import type { LedgerReceipt } from '../store/ledger-entries.ts'
import { Ledger } from '../store/ledger.ts'
import { RewardStore } from '../store/rewards.ts'
import type { CommandInput, ShopCommand } from './command.ts'
import { businessOf, businessOption, COMMAND_LINE, timeFormatOf, wholeNumber } from './options.ts'

/** The customer that an argument names by id or by phone: the key of the business, the id and the name. */
const customerOf = async (input: CommandInput, argument = 'CUSTOMER') => {
  const { key, address } = await businessOf(input)
  const named = input.required(argument)
  const customers = new CustomerStore(input.database)
  const phone = parsePhone(named, address.country)
  const found = await (phone === null
    ? customers.find(key, 'id', named)
    : customers.find(key, 'phone', phone.e164))
  if (found === null) {
    const sentence = `There is no customer ${named}: give an id, or a phone with + and the code of the country.`
    throw new Refusal('customer-unknown', sentence)
  }
  // The id of a merged customer stays as it is: a second merge of the two changes nothing.
  return { business: key, customer: phone === null ? named : found.id, name: found.name }
}

const ledgerRequest = async (input: CommandInput) => ({ ...(await customerOf(input)), by: COMMAND_LINE })

const ledgerOf = ({ database, now }: CommandInput): Ledger =>
  new Ledger({ database, now, random: systemRandomBytes })

const devicesOf = ({ database, now }: CommandInput): DeviceStore =>
  new DeviceStore({ database, now, random: systemRandomBytes })

const receipt = ({ name }: { readonly name: string }, received: LedgerReceipt) => ({
  text: `${name}: ${received.entry.kind} ${received.entry.points} points (${received.entry.id}); the balance is ${received.balance}.`,
  json: received
})

const exportText = (
  { customer, merged, entries, corrections, explanations, devices }: CustomerExport,
  rewardNames: ReadonlyMap<string | null, string>,
  timeText: (at: string) => string
): string =>
  [
    `${customer.id}  ${customer.name}  ${customer.phone}  ${customer.email ?? ''}`,
    `balance ${customer.balance}, lifetime points ${customer.lifetimePoints}`,
    ...merged.map(({ id, name, phone }) => `merged: ${id}  ${name}  ${phone ?? ''}`),
    ...devices.map(({ id, lastSeenAt }) => `linked: ${id}  last seen ${timeText(lastSeenAt)}`),
    ...corrections.map(({ at, by, fields }) => `${timeText(at)}  corrected  ${fields.join(', ')}  ${by}`),
    ...explanations.map(({ at, by, kind, note }) =>
      [timeText(at), 'explained', kind, note ?? '', by].filter((part) => part !== '').join('  ')
    ),
    ...entries.map(({ id, at, kind, points, code, reward, reason, reverses }) =>
      [timeText(at), kind, points, rewardNames.get(reward) ?? code ?? reverses ?? '', reason ?? '', id].join(
        '  '
      )
    )
  ].join('\n')

const exported = async (input: CommandInput): Promise<CustomerExport> => {
  const identities = new Identities(input.database, input.now)
  const { business, customer } = await customerOf(input)
  const found = await identities.export(business, customer)
  if (found === null) throw new Refusal('customer-unknown', 'There is no such customer.')
  return found
}

const CUSTOMER = ['CUSTOMER']

export const customerCommands: readonly ShopCommand[] = [
  {
    name: 'customer show',
    summary: 'Shows a customer (by id or phone) and every entry of the ledger.',
    args: CUSTOMER,
    options: businessOption,
    run: async (input) => {
      const json = await exported(input)
      const business = await businessOf(input)
      const rewards = await new RewardStore(input.database).all(business.key)
      const rewardNames = new Map(rewards.map(({ id, name }) => [id, name]))
      return { text: exportText(json, rewardNames, timeFormatOf(business)), json }
    }
  },
  {
    name: 'customer export',
    summary: 'Prints all that is kept of a customer, as JSON.',
    args: CUSTOMER,
    options: businessOption,
    run: async (input) => {
      const json = await exported(input)
      return { text: JSON.stringify(json, null, 2), json }
    }
  },
  {
    name: 'customer correct',
    summary: 'Corrects name, phone or e-mail of a customer, and records it.',
    args: CUSTOMER,
    options: {
      ...businessOption,
      name: { value: 'TEXT', text: 'the name; --name= for none' },
      phone: { value: 'PHONE', text: 'the phone' },
      email: { value: 'EMAIL', text: 'the e-mail; --email= for none' }
    },
    run: async (input) => {
      const { key, address } = await businessOf(input)
      const { customer } = await exported(input)
      const typed = {
        name: input.option('name') ?? customer.name,
        phone: input.option('phone') ?? customer.phone,
        email: input.option('email') ?? customer.email ?? ''
      }
      const identity = { id: customer.id, ...parseCorrection(typed, address.country) }
      const corrected = await new Identities(input.database, input.now).correct(key, identity, COMMAND_LINE)
      const what = corrected.length === 0 ? 'nothing, which was so already' : corrected.join(', ')
      return { text: `Corrected ${what} (${customer.id}).`, json: { id: customer.id, corrected } }
    }
  },
  {
    name: 'customer adjust',
    summary: 'Gives points to a customer, or takes them.',
    args: CUSTOMER,
    options: {
      ...businessOption,
      points: { value: 'N', text: 'points to give; --points=-N takes them', isRequired: true },
      reason: { value: 'TEXT', text: 'why, for the ledger; no names of people', isRequired: true }
    },
    run: async (input) => {
      const points = wholeNumber('--points', input.required('points'), -9_999_999, 9_999_999)
      const request = { ...(await ledgerRequest(input)), points, reason: input.required('reason') }
      return receipt(request, await ledgerOf(input).adjust(request))
    }
  },
  {
    name: 'customer reverse',
    summary: 'Takes back an entry of the ledger by an opposite one.',
    args: ['CUSTOMER', 'ENTRY'],
    options: {
      ...businessOption,
      reason: { value: 'TEXT', text: 'why, for the ledger; no names of people' }
    },
    run: async (input) => {
      const request = { ...(await ledgerRequest(input)), entry: input.required('ENTRY') }
      const reason = input.option('reason') ?? null
      return receipt(request, await ledgerOf(input).reverse({ ...request, reason }))
    }
  },
  {
    name: 'customer redeem',
    summary: 'Takes the cost of a reward from a customer.',
    args: ['CUSTOMER', 'REWARD'],
    options: businessOption,
    run: async (input) => {
      const request = { ...(await ledgerRequest(input)), reward: input.required('REWARD') }
      return receipt(request, await ledgerOf(input).redeem(request))
    }
  },
  {
    name: 'customer merge',
    summary: 'Joins the second customer to the first: one person, one balance.',
    args: ['CUSTOMER', 'MERGED'],
    options: businessOption,
    run: async (input) => {
      const identities = new Identities(input.database, input.now)
      const { business, customer, name } = await customerOf(input)
      const merged = await customerOf(input, 'MERGED')
      await identities.merge(business, customer, merged.customer)
      const json = await exported(input)
      return { text: `Joined ${merged.name} to ${name}; the balance is ${json.customer.balance}.`, json }
    }
  },
  {
    name: 'customer link',
    summary: 'Links the phone that shows these six digits to a customer.',
    args: ['CUSTOMER', 'DIGITS'],
    options: businessOption,
    run: async (input) => {
      const { business, customer, name } = await customerOf(input)
      const device = await devicesOf(input).link(business, customer, input.required('DIGITS'))
      return { text: `Linked ${device} to ${name}.`, json: { device } }
    }
  },
  {
    name: 'customer unlink',
    summary: 'Unlinks a device (see customer show) from a customer.',
    args: ['CUSTOMER', 'DEVICE'],
    options: businessOption,
    run: async (input) => {
      const { business, customer, name } = await customerOf(input)
      const device = input.required('DEVICE')
      await devicesOf(input).unlink(business, customer, device)
      return { text: `Unlinked ${device} from ${name}.`, json: { device } }
    }
  },
  {
    name: 'customer erase',
    summary: 'Blanks name, phone and e-mail of a customer for good; the entries stay.',
    args: CUSTOMER,
    options: businessOption,
    run: async (input) => {
      const { business, customer: id } = await customerOf(input)
      const { customer, merged } = await exported(input)
      await new Identities(input.database, input.now).erase(business, id)
      const names = [customer, ...merged].map((each) => `${each.name} (${each.id})`)
      const joined = names.length === 1 ? '' : ', who are one customer'
      return {
        text: `Erased ${names.join(' and ')}${joined}.`,
        json: { id, erased: [customer, ...merged].map((each) => each.id) }
      }
    }
  }
]
