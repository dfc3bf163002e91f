/** Clients that another developer makes: from an OpenAPI document alone, with openapi-typescript, and nothing of this project. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { onTestFinished } from 'vitest'
import { PROJECT } from '../../resources/scripts/tools.ts'

const run = promisify(execFile)

/** Types that leave nothing open; the client may use what Node and pages have. */
const TSCONFIG = {
  compilerOptions: {
    ...{ target: 'es2024', module: 'nodenext', lib: ['es2024', 'dom'], noEmit: true },
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    ...{ erasableSyntaxOnly: true, verbatimModuleSyntax: true },
    ...{ types: ['node'], typeRoots: [join(PROJECT, 'node_modules/@types')] }
  },
  include: ['.']
}

/**
 * Generates types from the document at `url`, checks the client with the compiler, and runs it with the arguments.
 * Resolves with what it writes. Rejects with what the compiler or the client says.
 */
export async function runGeneratedClient(
  url: string,
  source: string,
  args: readonly string[]
): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), 'generated-client-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  const tool = (path: string, ...rest: readonly string[]) =>
    run(process.execPath, [join(PROJECT, 'node_modules', path), ...rest], { cwd })
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  writeFileSync(join(cwd, 'openapi.json'), await response.text())
  writeFileSync(join(cwd, 'client.mts'), source)
  writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  await tool('openapi-typescript/bin/cli.js', 'openapi.json', '--output', 'schema.d.ts')
  await tool('@typescript/native/bin/tsc', '--project', cwd).catch((error: unknown) => {
    throw new Error(v.parse(v.object({ stdout: v.string() }), error).stdout)
  })
  return (await run(process.execPath, ['client.mts', ...args], { cwd })).stdout
}
