import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../../resources/scripts/tools.ts'

/** The reader of YAML that electron-updater brings. */
const yaml = createRequire(fileURLToPath(import.meta.resolve('electron-updater')))('js-yaml') as {
  load(text: string): unknown
}

const workflowSchema = v.object({
  name: v.string(),
  permissions: v.record(v.string(), v.picklist(['read', 'none'])),
  jobs: v.record(
    v.string(),
    v.object({
      'timeout-minutes': v.number(),
      permissions: v.optional(v.record(v.string(), v.string())),
      steps: v.array(
        v.object({
          uses: v.optional(v.string()),
          run: v.optional(v.string()),
          with: v.optional(v.record(v.string(), v.unknown()), {})
        })
      )
    })
  )
})

const { scripts } = v.parse(
  v.object({ scripts: v.record(v.string(), v.string()) }),
  JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
)

const FOLDER = join(PROJECT, '.github/workflows')

describe.each(readdirSync(FOLDER))('the workflow %s', (file) => {
  const text = readFileSync(join(FOLDER, file), 'utf8')
  const workflow = v.parse(workflowSchema, yaml.load(text))
  const jobs = Object.values(workflow.jobs)
  const steps = jobs.flatMap((job) => job.steps)

  it('pins each action to a commit, and says which release that is', () => {
    const used = steps.flatMap((step) => step.uses ?? [])
    expect(used.length).toBeGreaterThan(0)
    for (const uses of used) {
      expect(uses).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/)
      expect(text).toMatch(new RegExp(`uses: ${uses.replaceAll('.', '\\.')} # v\\d+\\.\\d+\\.\\d+$`, 'm'))
    }
  })

  it('names npm scripts that there are', () => {
    const named = steps.flatMap(({ run = '' }) => [
      ...[...run.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? ''),
      ...(/npm test\b/.test(run) ? ['test'] : [])
    ])
    for (const name of named) expect(Object.keys(scripts)).toContain(name)
  })

  it('may read the code, and leaves no key to it behind', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
    expect(checkouts).toHaveLength(jobs.length)
    for (const checkout of checkouts) expect(checkout.with['persist-credentials']).toBe(false)
  })

  it('asks for more in no job but the one that reports findings', () => {
    const writes = jobs.flatMap((job) =>
      Object.entries(job.permissions ?? {}).flatMap(([what, may]) => (may === 'write' ? [what] : []))
    )
    expect(writes).toEqual(file === 'codeql.yml' ? ['security-events'] : [])
  })

  it('puts nothing of an event into a command', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{')
  })
})
