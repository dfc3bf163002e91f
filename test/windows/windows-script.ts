/** What a script that runs on the Windows Node starts with: its input, its output, and checks. */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as v from 'valibot'

/** Runs `work` with the input of the script, and writes what it returns. */
export async function runScriptWith<Schema extends v.GenericSchema>(
  schema: Schema,
  work: (input: v.InferOutput<Schema>) => unknown
): Promise<void> {
  const [, , inputFile = '', outputFile = ''] = process.argv
  // What an earlier run left in the temporary folder must not count.
  process.env['TEMP'] = dirname(inputFile)
  const input = v.parse(v.pipe(v.string(), v.parseJson(), schema), readFileSync(inputFile, 'utf8'))
  writeFileSync(outputFile, JSON.stringify(await work(input)))
}

/** Runs each check. Resolves with the error of each by its title; null: it passed. */
export async function runChecks(
  checks: Readonly<Record<string, () => void | Promise<void>>>
): Promise<Readonly<Record<string, string | null>>> {
  const outcomes: Record<string, string | null> = {}
  for (const [title, check] of Object.entries(checks)) {
    try {
      await check()
      outcomes[title] = null
    } catch (error) {
      outcomes[title] = error instanceof Error ? (error.stack ?? error.message) : String(error)
    }
  }
  return outcomes
}
