import { describe, expect, test } from 'vitest'
import { INSTALL_CUPS, skipReason } from './programs.ts'

const missing = ['/usr/sbin/cupsd', '/usr/bin/lp']

describe('the reason why CUPS tests are skipped', () => {
  test('is null on Linux with every program', () => {
    expect(skipReason({ platform: 'linux', missing: [], ci: false })).toBeNull()
  })

  test('names the missing programs and the command that installs them', () => {
    const reason = skipReason({ platform: 'linux', missing, ci: false })
    expect(reason).toContain('/usr/sbin/cupsd, /usr/bin/lp')
    expect(reason).toContain(INSTALL_CUPS)
  })

  test('is null where CI is set: the tests run, and fail on what is missing', () => {
    expect(skipReason({ platform: 'linux', missing, ci: true })).toBeNull()
  })

  test.each(['darwin', 'win32'] as const)('is the system on %s, with CI set too', (platform) => {
    expect(skipReason({ platform, missing, ci: true })).toContain(platform)
  })
})
