/** `code show|cancel`: a code of a slip. */
import { codeStatus, normalizeCode } from '../domain/codes.ts'
import { Refusal } from '../domain/refusal.ts'
import { CodeStore, type CodeCollection } from '../store/codes.ts'
import type { CommandInput, ShopCommand } from './command.ts'
import { businessOf, businessOption, timeFormatOf } from './options.ts'

/** The code of a command, as stored. */
const codeOf = async (input: CommandInput) => {
  const business = await businessOf(input)
  const { key } = business
  const codes = new CodeStore(input.database)
  const stored = await codes.find(key, normalizeCode(input.required('CODE')))
  if (stored === null) throw new Refusal('code-unknown', 'There is no such code.')
  return { key, codes, stored, timeText: timeFormatOf(business), status: codeStatus(stored, input.now()) }
}

/** Says who collected a code, and how to take the points back. */
const collectionText = ({ entry, reversal, customer, name }: CodeCollection): string => {
  const collected = `Collected by ${name === '' ? 'an erased customer' : name} (${customer}). `
  return reversal === null
    ? `${collected}To take the points back: customer reverse ${customer} ${entry}`
    : `${collected}The points were taken back (${reversal}).`
}

export const codeCommands: readonly ShopCommand[] = [
  {
    name: 'code show',
    summary: 'Shows the points and the state of a code.',
    args: ['CODE'],
    options: businessOption,
    run: async (input) => {
      const { key, codes, stored, status, timeText } = await codeOf(input)
      const collection = await codes.collection(key, stored.code)
      const since = {
        used: stored.usedAt,
        cancelled: stored.cancelledAt,
        expired: stored.expiresAt,
        active: null
      }
      const at = since[status]
      const time = at === null ? `until ${timeText(stored.expiresAt)}` : timeText(at)
      const text = `${stored.code}  ${stored.points} points  ${status} ${time}`
      return {
        text: collection === null ? text : `${text}\n${collectionText(collection)}`,
        json: { ...stored, status, collection }
      }
    }
  },
  {
    name: 'code cancel',
    summary: 'Makes an unused code worthless.',
    args: ['CODE'],
    options: businessOption,
    run: async (input) => {
      const { key, codes, stored } = await codeOf(input)
      if (!(await codes.cancel(key, stored.code, input.now().toISOString()))) {
        const collection = await codes.collection(key, stored.code)
        const who = collection === null ? 'This code has been used.' : collectionText(collection)
        throw new Refusal('code-used', `A code that was collected cannot be cancelled. ${who}`)
      }
      return { text: `Cancelled ${stored.code}.`, json: { code: stored.code } }
    }
  }
]
