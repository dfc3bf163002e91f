/** How the till is started: its switches, and what its processes inherit. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PROJECT } from '../../resources/scripts/tools.ts'
import { CANARY_TOKEN } from '../support/secret-scanner.ts'
import { expect, test } from './support/fixtures.ts'
import { launchOf } from './support/till.ts'

/** Reads a file of `/proc`; empty for a process that has ended. */
const readProc = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

const parentOf = (pid: number): number => Number(/^PPid:\s*(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? 0)

/** Returns every process that a process has started, directly or not. */
const descendantsOf = (ancestor: number): number[] => {
  const parents = new Map(
    readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0)
      .map((pid) => [pid, parentOf(pid)] as const)
  )
  const isDescendant = (pid: number): boolean => {
    const parent = parents.get(pid)
    return parent !== undefined && parent !== 0 && (parent === ancestor || isDescendant(parent))
  }
  return [...parents.keys()].filter(isDescendant)
}

test.describe('start', () => {
  test('does not start with a switch that accepts any certificate', async ({ userData }) => {
    const { executablePath, args, env } = launchOf({ userData, args: ['--ignore-certificate-errors'] })
    const child = spawn(executablePath, args, { env, cwd: PROJECT, stdio: ['ignore', 'ignore', 'pipe'] })
    let written = ''
    child.stderr.on('data', (chunk: Buffer) => (written += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number | null]
    expect(code).toBe(1)
    expect(written).toContain('switch-refused')
  })

  test('a token file that cannot be read is reported', async ({ open, network }) => {
    const { cashier } = await open({
      env: { TILLPOINTS_BASE_URL: network.url, TILLPOINTS_TOKEN_FILE: '/nowhere/token' }
    })
    await expect(cashier.alert.first()).toContainText('token')
  })

  if (process.platform === 'linux') {
    test('Chromium and the other programs of the till inherit no token, and Chromium has its switches', async ({
      open,
      network,
      userData
    }) => {
      const file = join(userData, 'token')
      await writeFile(file, `${CANARY_TOKEN}\n`)
      for (const token of [{ TILLPOINTS_TOKEN: CANARY_TOKEN }, { TILLPOINTS_TOKEN_FILE: file }]) {
        const till = await open({ env: { TILLPOINTS_BASE_URL: network.url, ...token } })
        const pid = await till.app.evaluate(() => process.pid)
        const processes = descendantsOf(pid)
        expect(processes.length).toBeGreaterThan(2)
        expect(processes.filter((one) => readProc(one, 'environ').includes(CANARY_TOKEN))).toEqual([])
        for (const name of ['disable-http2', 'disable-quic']) {
          expect(processes.some((one) => readProc(one, 'cmdline').includes(`--${name}`))).toBe(true)
        }
        await till.close()
      }
    })
  }
})
