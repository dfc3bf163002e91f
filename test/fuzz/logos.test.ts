/** Logos that were changed: decoded or refused, in bounded memory. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { expect, it, onTestFinished } from 'vitest'
import { jpegLogo, pngLogo } from './logo-files.ts'
import { runs, SEEDS } from './runs.ts'

/** One of the largest logos. */
const MAX_MEGABYTES = 64

const outcome = v.object({
  decoded: v.number(),
  wrong: v.number(),
  megabytes: v.number(),
  milliseconds: v.number()
})

const decode = async (...args: readonly (string | number)[]) => {
  const program = join(import.meta.dirname, 'logo-process.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    program,
    ...args.map(String)
  ])
  const result = v.parse(outcome, JSON.parse(stdout))
  process.stdout.write(
    `logos: ${args.join(' ')}: ${String(result.decoded)} decoded, ${String(result.megabytes)} MB, at most ${String(result.milliseconds)} ms of the processor\n`
  )
  return result
}

it.each([
  ['PNG', () => pngLogo(2048, false)],
  ['interlaced PNG', () => pngLogo(2048, true)],
  ['JPEG', () => jpegLogo(1024)]
])('the largest %s is decoded in bounded memory', async (name, make) => {
  const folder = mkdtempSync(join(tmpdir(), 'logo-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, name)
  writeFileSync(file, make())
  const { decoded, megabytes } = await decode(file)
  expect(decoded).toBe(1)
  expect(megabytes).toBeLessThanOrEqual(MAX_MEGABYTES)
})

it.each(SEEDS)('changed logos are decoded or refused, with %s', async (_, seed) => {
  const count = runs(20_000, 2_000)
  const { decoded, wrong, megabytes } = await decode(seed, count)
  expect(wrong).toBe(0)
  expect(decoded).toBeGreaterThan(count / 100)
  expect(megabytes).toBeLessThanOrEqual(MAX_MEGABYTES)
})
