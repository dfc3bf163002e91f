/**
 * `npm run bench`: measures with every bench, prints the table and writes `out/bench.json`. `npm run bench -- NAME …`
 * measures with those alone; `npm run bench -- --against REVISION [OPERATION …]` compares the service with another revision.
 * Ends with 1 when a target was missed or a bench failed, 2 when a name is unknown.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { build } from '../../resources/scripts/build.ts'
import { PROJECT } from '../../resources/scripts/tools.ts'
import { describeElectron } from '../e2e/support/electron.ts'
import { BENCHES } from './benches.ts'
import type { Line } from './line.ts'
import { measure } from './measure.ts'
import { table } from './table.ts'

const [first, revision = 'HEAD', ...operations] = process.argv.slice(2)
if (first === '--against') {
  const { compareWith } = await import('./against/compare.ts')
  const lines = await compareWith(revision, operations)
  console.log(`\n${table(lines)}\n`)
  for (const { name, note } of lines) console.log(`${name}: ${note ?? ''}`)
  process.exit()
}
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => BENCHES.every((bench) => bench.name !== name))
if (unknown.length > 0) {
  console.error(`No such bench: ${unknown.join(', ')}. There are:`)
  for (const { name, description } of BENCHES) console.error(`  ${name.padEnd(12)} ${description}`)
  process.exit(2)
}
await build()

console.error(describeElectron())
const lines: Line[] = []
let failed = 0
for (const bench of BENCHES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  console.error(`── ${bench.name}: ${bench.description}`)
  try {
    lines.push(...(await measure(bench, 'full', (message) => console.error(`   ${message}`))))
  } catch (error) {
    failed += 1
    console.error(`   failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  }
}

const machine = {
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memory: `${(totalmem() / 2 ** 30).toFixed(0)} GB`,
  system: `${process.platform} ${process.arch}`,
  node: process.version
}
mkdirSync(join(PROJECT, 'out'), { recursive: true })
writeFileSync(join(PROJECT, 'out/bench.json'), `${JSON.stringify({ machine, lines }, undefined, 2)}\n`)
console.log(`\n${table(lines)}`)
for (const { name, note } of lines) if (note !== undefined) console.log(`${name}: ${note}`)
const missed = lines.filter(({ ok }) => !ok)
console.log(`\n${lines.length} lines, ${missed.length} missed, ${failed} benches failed; out/bench.json`)
process.exitCode = missed.length > 0 || failed > 0 ? 1 : 0
