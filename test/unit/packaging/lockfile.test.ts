import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../../resources/scripts/tools.ts'

const { packages } = v.parse(
  v.object({
    packages: v.record(
      v.string(),
      v.object({
        integrity: v.optional(v.string()),
        resolved: v.optional(v.string()),
        link: v.optional(v.boolean())
      })
    )
  }),
  JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8'))
)
const installed = Object.entries(packages).filter(([path]) => path !== '')

describe('the lockfile', () => {
  it('has a SHA-512 hash for every package', () => {
    expect(installed.length).toBeGreaterThan(100)
    for (const [path, { integrity }] of installed)
      expect(integrity, path).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
  })

  it('records no download addresses: packages come from the configured registry', () => {
    expect(
      installed.filter(([, { resolved, link }]) => resolved !== undefined || link).map(([path]) => path)
    ).toEqual([])
  })
})
