/** `tillpoints --check-policy FILE`: says what a policy would put in force, and opens no till. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Policy } from './policy.ts'
import { type PolicyReading, type PolicySource, readJsonPolicy } from './policy-sources.ts'

/** What is printed, and whether nothing is wrong. */
export interface PolicyCheck {
  /** in English, one fact a line, for administrators */
  readonly text: string
  readonly isRight: boolean
}

/** What keeps a policy from being read. */
const REFUSALS = {
  owner: 'ignored: the file or its folder does not belong to the administrator',
  writable: 'ignored: others can write to the file or its folder',
  unreadable: 'ignored: not a file, too large, or not readable'
} as const

/** Values in columns; the pairing code is a secret. */
function valuesOf({ managedBy, locked, defaults, tokenFile, pairingCode }: Policy): string[] {
  const rows = (section: string, values: Policy['locked']): [string, string, unknown][] =>
    Object.entries(values).map(([name, value]) => [section, name, value])
  const option = (name: string, value: string | null): [string, string, unknown][] =>
    value === null || value === '' ? [] : [['', name, value]]
  const found = [
    ...option('managedBy', managedBy),
    ...rows('locked', locked),
    ...rows('default', defaults),
    ...option('tokenFile', tokenFile),
    ...option('pairingCode', pairingCode && '(hidden)')
  ]
  const width = Math.max(...found.map(([, name]) => name.length))
  return found.map(
    ([section, name, value]) => `${section.padEnd(7)}  ${name.padEnd(width)}  ${JSON.stringify(value)}`
  )
}

function describe(file: string, reading: PolicyReading): PolicyCheck {
  const said = (lines: readonly string[], isRight: boolean): PolicyCheck => ({
    text: lines.map((line) => `${line}\n`).join(''),
    isRight
  })
  if (reading.kind === 'absent') return said([`${file}: there is no such file`], false)
  if (reading.kind === 'refused') return said([`${file}: ${REFUSALS[reading.reason]}`], false)
  const mistakes = reading.kind === 'broken' ? [reading.mistake] : reading.mistakes
  const values = reading.kind === 'broken' ? [] : valuesOf(reading.policy)
  return said(
    [
      `In force from ${file}:${values.length === 0 ? ' nothing' : ''}`,
      ...values,
      ...mistakes.map(({ name, line, message }) =>
        [file, ...(line === null ? [] : [line]), ...(name === '' ? [] : [` ${name}`]), ` ${message}`].join(
          ':'
        )
      )
    ],
    mistakes.length === 0
  )
}

/** A draft may lie anywhere and belong to anybody. */
function readDraft(path: string): PolicyReading {
  try {
    return readJsonPolicy(readFileSync(path))
  } catch {
    return { kind: 'refused', reason: 'unreadable' }
  }
}

/**
 * Checks a file as a till would read it. Owner and mode count only for the file that this till obeys.
 * @param file as given in the command line; empty if it is missing
 * @param installed the sources of this till
 */
export async function checkPolicy(file: string, installed: readonly PolicySource[]): Promise<PolicyCheck> {
  if (file === '') return { text: 'Usage: tillpoints --check-policy FILE\n', isRight: false }
  const path = resolve(file)
  const source = installed.find(({ name }) => name === path)
  return describe(file, source ? await source.read() : readDraft(path))
}
