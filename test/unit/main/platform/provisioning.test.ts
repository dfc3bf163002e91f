import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { takeProvisioning } from '../../../../electron/main/platform/command-line.ts'

const BASE_URL = 'https://a.example/api'

describe('takeProvisioning', () => {
  it('returns the trimmed pair, and removes the token from the environment', () => {
    const environment = {
      TILLPOINTS_BASE_URL: ` ${BASE_URL} `,
      TILLPOINTS_TOKEN: ' secret\n',
      PATH: '/bin'
    }
    expect(takeProvisioning(environment)).toEqual({
      connection: { baseUrl: BASE_URL, token: 'secret' },
      removed: { TILLPOINTS_TOKEN: ' secret\n' }
    })
    expect(environment).toEqual({ TILLPOINTS_BASE_URL: ` ${BASE_URL} `, PATH: '/bin' })
  })

  it('reads the token from a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'provisioning-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'token')
    writeFileSync(file, 'secret\n')
    const environment = { TILLPOINTS_BASE_URL: BASE_URL, TILLPOINTS_TOKEN_FILE: file }
    expect(takeProvisioning(environment)).toEqual({
      connection: { baseUrl: BASE_URL, token: 'secret' },
      removed: {}
    })
  })

  // Reading a pipe without a writer never ends; Windows has no mkfifo.
  it.runIf(process.platform !== 'win32')('returns an empty token for a pipe', () => {
    const folder = mkdtempSync(join(tmpdir(), 'provisioning-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'token')
    execFileSync('mkfifo', [file])
    const environment = { TILLPOINTS_BASE_URL: BASE_URL, TILLPOINTS_TOKEN_FILE: file }
    expect(takeProvisioning(environment).connection).toEqual({ baseUrl: BASE_URL, token: '' })
  })

  it('returns an empty token for a file that is too large', () => {
    const folder = mkdtempSync(join(tmpdir(), 'provisioning-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'token')
    writeFileSync(file, 'a'.repeat(70_000))
    const environment = { TILLPOINTS_BASE_URL: BASE_URL, TILLPOINTS_TOKEN_FILE: file }
    expect(takeProvisioning(environment).connection).toEqual({ baseUrl: BASE_URL, token: '' })
  })

  it('returns an empty token for a file that cannot be read', () => {
    const environment = { TILLPOINTS_BASE_URL: BASE_URL, TILLPOINTS_TOKEN_FILE: '/nowhere/token' }
    expect(takeProvisioning(environment).connection).toEqual({ baseUrl: BASE_URL, token: '' })
  })

  it.each([{}, { TILLPOINTS_TOKEN: 'secret' }, { TILLPOINTS_BASE_URL: ' ', TILLPOINTS_TOKEN: 'secret' }])(
    'returns no connection for %j, and removes the token',
    (environment: NodeJS.ProcessEnv) => {
      expect(takeProvisioning(environment).connection).toBeNull()
      expect(environment['TILLPOINTS_TOKEN']).toBeUndefined()
    }
  )
})
