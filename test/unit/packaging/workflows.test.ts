import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../../resources/scripts/tools.ts'

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
  const workflow = v.parse(workflowSchema, load(text))
  const jobs = Object.values(workflow.jobs)
  const steps = jobs.flatMap((job) => job.steps)

  it('pins each action to a commit and names its release', () => {
    const used = steps.flatMap((step) => step.uses ?? [])
    expect(used.length).toBeGreaterThan(0)
    for (const uses of used) {
      expect(uses).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/)
      expect(text).toMatch(new RegExp(`uses: ${uses.replaceAll('.', '\\.')} # v\\d+\\.\\d+\\.\\d+$`, 'm'))
    }
  })

  it('uses npm scripts that exist', () => {
    const named = steps.flatMap(({ run = '' }) => [
      ...[...run.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? ''),
      ...(/npm test\b/.test(run) ? ['test'] : [])
    ])
    for (const name of named) expect(Object.keys(scripts)).toContain(name)
  })

  it('has read permission and leaves no credentials in the checkout', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
    expect(checkouts).toHaveLength(jobs.length)
    for (const checkout of checkouts) expect(checkout.with['persist-credentials']).toBe(false)
  })

  it('has write permission only in the job that reports findings', () => {
    const writes = jobs.flatMap((job) =>
      Object.entries(job.permissions ?? {}).flatMap(([what, may]) => (may === 'write' ? [what] : []))
    )
    expect(writes).toEqual(file === 'codeql.yml' ? ['security-events'] : [])
  })

  it('interpolates no expression into a command', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{')
  })
})

it('the packages are audited every week and with each change', () => {
  const auditSchema = v.object({
    on: v.object({
      push: v.null(),
      pull_request: v.null(),
      // Minute, hour, and one day of the week.
      schedule: v.tuple([v.object({ cron: v.pipe(v.string(), v.regex(/^\d+ \d+ \* \* \d$/)) })])
    }),
    jobs: v.object({ audit: v.object({ steps: v.array(v.object({ run: v.optional(v.string()) })) }) })
  })
  const { jobs } = v.parse(auditSchema, load(readFileSync(join(FOLDER, 'supply-chain.yml'), 'utf8')))
  expect(jobs.audit.steps.map(({ run }) => run)).toContain('npm audit --omit=dev')
})
