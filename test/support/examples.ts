/** The configuration files of docs/examples, as the tests start them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../../resources/scripts/tools.ts'

/**
 * Returns a file of docs/examples with other addresses, ports and folders.
 * @param changes each text that is replaced wherever it stands, and by what; a longer one before one that it begins with
 * @throws if a text does not occur: the example has changed
 */
export function readExample(name: string, changes: Readonly<Record<string, string>> = {}): string {
  const text = readFileSync(join(PROJECT, 'docs/examples', name), 'utf8')
  for (const old of Object.keys(changes)) {
    if (!text.includes(old)) throw new Error(`docs/examples/${name} has no ${old}`)
  }
  const pattern = Object.keys(changes).map((old) => RegExp.escape(old))
  return pattern.length === 0
    ? text
    : text.replace(new RegExp(pattern.join('|'), 'g'), (old) => changes[old] ?? old)
}
