import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { LogoCache } from '../../../../electron/main/images/logo-cache.ts'

const LINK = 'https://loyalty.example/logo.png'
const LOGO = Uint8Array.of(1, 2, 3)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'logo-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

it('returns null for a logo that is not cached', () => {
  expect(new LogoCache(folder).get(LINK)).toBeNull()
})

it('returns a cached logo', async () => {
  const logos = new LogoCache(folder)
  await logos.set(LINK, LOGO)
  expect(logos.get(LINK)).toEqual(LOGO)
})

it('reads the logo from disk after a restart', async () => {
  await new LogoCache(folder).set(LINK, LOGO)
  expect(new LogoCache(folder).get(LINK)).toEqual(Buffer.from(LOGO))
})

it('keeps the logo in memory if the disk does not take it', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const logos = new LogoCache(join(file, 'logos'))
  await logos.set(LINK, LOGO)
  expect(logos.get(LINK)).toBe(LOGO)
})

it('replaces a changed logo in memory and on disk', async () => {
  const logos = new LogoCache(folder)
  const changed = Uint8Array.of(4, 5, 6)
  await logos.set(LINK, LOGO)
  await logos.set(LINK, changed)
  expect(logos.get(LINK)).toEqual(changed)
  expect(new LogoCache(folder).get(LINK)).toEqual(Buffer.from(changed))
})
