/** `customer show|export|adjust|reverse|redeem|merge|link|unlink|erase`: a customer and their points. */
import { systemRandomBytes } from '../domain/identifiers.ts'
import { Refusal } from '../domain/refusal.ts'
import { DeviceStore } from '../store/devices.ts'
import { Identities, type CustomerExport } from '../store/identities.ts'
import { Ledger, type LedgerReceipt, type LedgerRequest } from '../store/ledger.ts'
import type { CommandInput, ShopCommand } from './command.ts'
import { businessOf, businessOption, COMMAND_LINE, wholeNumber } from './options.ts'

/** The customer of a command: the business's, and who changes the points. */
const ledgerRequest = async (input: CommandInput): Promise<LedgerRequest> => ({
  business: (await businessOf(input)).key,
  customer: input.required('CUSTOMER'),
  by: COMMAND_LINE
})

const ledgerOf = ({ database, now }: CommandInput): Ledger =>
  new Ledger({ database, now, random: systemRandomBytes })

const devicesOf = ({ database, now }: CommandInput): DeviceStore =>
  new DeviceStore({ database, now, random: systemRandomBytes })

const receipt = (received: LedgerReceipt) => ({
  text: `${received.entry.kind} ${received.entry.points} points (${received.entry.id}); the balance is ${received.balance}.`,
  json: received
})

const exportText = ({ customer, merged, entries }: CustomerExport): string =>
  [
    `${customer.id}  ${customer.name}  ${customer.phone}  ${customer.email ?? ''}`,
    `balance ${customer.balance}, lifetime points ${customer.lifetimePoints}`,
    ...merged.map(({ id, name, phone }) => `merged: ${id}  ${name}  ${phone ?? ''}`),
    ...entries.map(({ id, at, kind, points, code, reward, reason, reverses }) =>
      [at, kind, points, code ?? reward ?? reverses ?? '', reason ?? '', id].join('  ')
    )
  ].join('\n')

const exported = async (input: CommandInput): Promise<CustomerExport> => {
  const identities = new Identities(input.database, input.now)
  const found = await identities.export((await businessOf(input)).key, input.required('CUSTOMER'))
  if (found === null) throw new Refusal('customer-unknown', 'There is no such customer.')
  return found
}

const CUSTOMER = ['CUSTOMER']

export const customerCommands: readonly ShopCommand[] = [
  {
    name: 'customer show',
    summary: 'Shows a customer (by id) and every entry of the ledger.',
    args: CUSTOMER,
    options: businessOption,
    run: async (input) => {
      const json = await exported(input)
      return { text: exportText(json), json }
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
      return receipt(await ledgerOf(input).adjust(request))
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
      return receipt(await ledgerOf(input).reverse({ ...request, reason: input.option('reason') ?? null }))
    }
  },
  {
    name: 'customer redeem',
    summary: 'Takes the cost of a reward from a customer.',
    args: ['CUSTOMER', 'REWARD'],
    options: businessOption,
    run: async (input) => {
      const request = { ...(await ledgerRequest(input)), reward: input.required('REWARD') }
      return receipt(await ledgerOf(input).redeem(request))
    }
  },
  {
    name: 'customer merge',
    summary: 'Joins the second customer to the first: one person, one balance.',
    args: ['CUSTOMER', 'MERGED'],
    options: businessOption,
    run: async (input) => {
      const { key } = await businessOf(input)
      const identities = new Identities(input.database, input.now)
      await identities.merge(key, input.required('CUSTOMER'), input.required('MERGED'))
      const json = await exported(input)
      return { text: `Joined; the balance is ${json.customer.balance}.`, json }
    }
  },
  {
    name: 'customer link',
    summary: 'Links the phone that shows these six digits to a customer.',
    args: ['CUSTOMER', 'DIGITS'],
    options: businessOption,
    run: async (input) => {
      const { key } = await businessOf(input)
      const device = await devicesOf(input).link(key, input.required('CUSTOMER'), input.required('DIGITS'))
      return { text: `Linked ${device}.`, json: { device } }
    }
  },
  {
    name: 'customer unlink',
    summary: 'Unlinks a device (see customer export) from a customer.',
    args: ['CUSTOMER', 'DEVICE'],
    options: businessOption,
    run: async (input) => {
      const { key } = await businessOf(input)
      const device = input.required('DEVICE')
      await devicesOf(input).unlink(key, input.required('CUSTOMER'), device)
      return { text: `Unlinked ${device}.`, json: { device } }
    }
  },
  {
    name: 'customer erase',
    summary: 'Blanks name, phone and e-mail of a customer for good; the entries stay.',
    args: CUSTOMER,
    options: businessOption,
    run: async (input) => {
      const id = input.required('CUSTOMER')
      await new Identities(input.database, input.now).erase((await businessOf(input)).key, id)
      return { text: `Erased ${id}.`, json: { id } }
    }
  }
]
