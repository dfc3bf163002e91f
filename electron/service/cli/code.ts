/** `code show|cancel`: a code of a slip. */
import { codeStatus, normalizeCode } from '../domain/codes.ts'
import { Refusal } from '../domain/refusal.ts'
import { CodeStore } from '../store/codes.ts'
import type { CommandInput, ShopCommand } from './command.ts'
import { businessOf, businessOption, timeFormatOf } from './options.ts'

/** The code of a command, as stored. */
const codeOf = async (input: CommandInput) => {
  const business = await businessOf(input)
  const { key } = business
  const stored = await new CodeStore(input.database).find(key, normalizeCode(input.required('CODE')))
  if (stored === null) throw new Refusal('code-unknown', 'There is no such code.')
  return { key, stored, timeText: timeFormatOf(business), status: codeStatus(stored, input.now()) }
}

export const codeCommands: readonly ShopCommand[] = [
  {
    name: 'code show',
    summary: 'Shows the points and the state of a code.',
    args: ['CODE'],
    options: businessOption,
    run: async (input) => {
      const { stored, status, timeText } = await codeOf(input)
      const since = {
        used: stored.usedAt,
        cancelled: stored.cancelledAt,
        expired: stored.expiresAt,
        active: null
      }
      const at = since[status]
      const time = at === null ? `until ${timeText(stored.expiresAt)}` : timeText(at)
      const text = `${stored.code}  ${stored.points} points  ${status} ${time}`
      return { text, json: { ...stored, status } }
    }
  },
  {
    name: 'code cancel',
    summary: 'Makes an unused code worthless.',
    args: ['CODE'],
    options: businessOption,
    run: async (input) => {
      const { key, stored } = await codeOf(input)
      const isCancelled = await new CodeStore(input.database).cancel(
        key,
        stored.code,
        input.now().toISOString()
      )
      if (!isCancelled)
        throw new Refusal('code-used', 'This code has been collected; reverse its entry instead.')
      return { text: `Cancelled ${stored.code}.`, json: { code: stored.code } }
    }
  }
]
