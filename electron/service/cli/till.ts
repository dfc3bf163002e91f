/** `till pair|list|revoke`: which tills have access. */
import { systemRandomBytes } from '../domain/identifiers.ts'
import { formatPairingCode } from '../domain/pairing.ts'
import { Refusal } from '../domain/refusal.ts'
import { PairingStore } from '../store/pairings.ts'
import { TillStore, type StoredTill } from '../store/tills.ts'
import { InvalidArgumentsError, type ShopCommand } from './command.ts'
import { businessOf, businessOption, timeFormatOf } from './options.ts'

const tillLine = (
  { id, name, createdAt, lastUsedAt, revokedAt }: StoredTill,
  timeText: (at: string) => string
): string => {
  const lastUsed = `last used ${lastUsedAt === null ? 'never' : timeText(lastUsedAt)}`
  return `${id}  ${name}  paired ${timeText(createdAt)}  ${revokedAt === null ? lastUsed : `revoked ${timeText(revokedAt)}`}`
}

export const tillCommands: readonly ShopCommand[] = [
  {
    name: 'till pair',
    summary: 'Shows a code that gives one till access, once within ten minutes.',
    options: { ...businessOption, name: { value: 'NAME', text: 'name of the till', isRequired: true } },
    run: async (input) => {
      const business = await businessOf(input)
      const name = input.required('name').trim()
      if (name === '') throw new InvalidArgumentsError('--name must not be empty')
      const { database, now } = input
      const { code, expiresAt } = await new PairingStore({ database, now, random: systemRandomBytes }).add(
        business.key,
        name
      )
      const shown = formatPairingCode(code)
      return {
        text: `${shown}  valid until ${timeFormatOf(business)(expiresAt)}`,
        json: { code: shown, expiresAt }
      }
    }
  },
  {
    name: 'till list',
    summary: 'Lists the tills with their last use.',
    options: businessOption,
    run: async (input) => {
      const business = await businessOf(input)
      const tills = await new TillStore(input.database).list(business.key)
      const timeText = timeFormatOf(business)
      const json = tills.map((till) => ({ ...till, business: undefined }))
      return { text: tills.map((till) => tillLine(till, timeText)).join('\n') || 'No tills yet.', json }
    }
  },
  {
    name: 'till revoke',
    summary: 'Ends the access of a till for good.',
    args: ['TILL'],
    options: businessOption,
    run: async (input) => {
      const id = input.required('TILL')
      const tills = new TillStore(input.database)
      const till = (await tills.list((await businessOf(input)).key)).find((listed) => listed.id === id)
      if (till === undefined) throw new Refusal('till-unknown', `There is no till ${id}.`)
      await tills.revoke(id, input.now().toISOString())
      return { text: `${till.name} has no access any more.`, json: { id } }
    }
  }
]
