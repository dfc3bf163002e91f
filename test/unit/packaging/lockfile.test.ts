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
        link: v.optional(v.boolean()),
        dependencies: v.optional(v.record(v.string(), v.string()), {}),
        optionalDependencies: v.optional(v.record(v.string(), v.string()), {})
      })
    )
  }),
  JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8'))
)
const installed = Object.entries(packages).filter(([path]) => path !== '')

/** Whether a package has an entry where Node looks for it from the package at `path`. */
function isLocked(name: string, path: string): boolean {
  if (`${path === '' ? '' : `${path}/`}node_modules/${name}` in packages) return true
  return path !== '' && isLocked(name, path.slice(0, Math.max(path.lastIndexOf('/node_modules/'), 0)))
}

it('package.json names exact versions', () => {
  const manifest = v.parse(
    v.object({
      dependencies: v.record(v.string(), v.string()),
      devDependencies: v.record(v.string(), v.string())
    }),
    JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
  )
  const named = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  expect(named.filter(([, version]) => !/^(npm:[\w/@-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual(
    []
  )
})

describe('the lockfile', () => {
  it('has every package that another one asks for, on any system: without one npm ci installs nothing', () => {
    const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !isLocked(name, path))
    )
    expect(missing).toEqual([])
  })

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
