/** How the till is started: its switches, and what its processes inherit. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, readlink, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { PROJECT } from '../../resources/scripts/tools.ts'
import { CANARY_TOKEN } from '../support/secret-scanner.ts'
import { expect, test } from './support/fixtures.ts'
import { launchOf, type OpenOptions } from './support/till.ts'

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

/** Runs the till with arguments of its own until it ends. */
const run = (userData: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  // Chromium takes an empty variable for none.
  runTill({ userData, args, env: { ...env, DISPLAY: '', WAYLAND_DISPLAY: '' } })

async function runTill(
  options: OpenOptions
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const launch = launchOf(options)
  const child = spawn(launch.executablePath, launch.args, {
    env: launch.env,
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const [stdout, stderr, [code]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close') as Promise<[number | null]>
  ])
  return { code, stdout, stderr }
}

test.describe('--check-policy', () => {
  test('prints what a policy would put in force, without a display, and opens nothing', async ({
    userData
  }) => {
    const file = join(userData, 'draft.json')
    await writeFile(
      file,
      JSON.stringify({
        managedBy: 'Example IT',
        locked: { service: { address: 'https://points.example' }, printer: { destination: 'Receipt' } },
        default: { theme: 'dark' },
        tokenFile: '/etc/tillpoints/token',
        pairingCode: 'BCDF-GHJK'
      })
    )
    const data = join(userData, 'till')
    const { code, stdout, stderr } = await run(data, ['--check-policy', file])
    expect(stderr).toBe('')
    expect(stdout.replace(/ +/g, ' ').split('\n')).toEqual([
      `In force from ${file}:`,
      ' managedBy "Example IT"',
      'locked service.address "https://points.example/"',
      'locked printer.destination {"kind":"queue","name":"Receipt"}',
      'default theme "dark"',
      ' tokenFile "/etc/tillpoints/token"',
      ' pairingCode "(hidden)"',
      ''
    ])
    expect(code).toBe(0)
    expect(existsSync(data)).toBe(false)
  })

  test('names each mistake with its line, and exits with 1', async ({ userData }) => {
    const file = join(userData, 'draft.json')
    const check = async (content: string) => {
      await writeFile(file, content)
      const { code, stdout } = await run(userData, [`--check-policy=${file}`])
      expect(code).toBe(1)
      return stdout.split('\n').filter((line) => line !== '')
    }
    const mistaken = '{\n  "locked": {\n    "theme": "blue",\n    "copies": 2,\n    "no": 1\n  }\n}'
    const [first, copies, theme, unknown] = await check(mistaken)
    expect(first).toBe(`In force from ${file}:`)
    expect(copies).toMatch(/^locked {3}copies {2}2$/)
    expect(theme).toContain(`${file}:3: locked.theme: `)
    expect(unknown).toContain(`${file}:5: locked.no: `)
    const [nothing, broken] = await check('{\n  "locked": {')
    expect(nothing).toBe(`In force from ${file}: nothing`)
    expect(broken).toContain(`${file}:2: `)
  })

  test('a file that is missing, or not named, or not that of the administrator, exits with 1', async ({
    userData
  }) => {
    expect(await run(userData, ['--check-policy', join(userData, 'none.json')])).toMatchObject({ code: 1 })
    const unnamed = await run(userData, ['--check-policy'])
    expect(unnamed).toMatchObject({ code: 1, stdout: 'Usage: tillpoints --check-policy FILE\n' })
    if (process.platform === 'win32') return
    const file = join(userData, 'policy.json')
    await writeFile(file, '{}')
    await chmod(file, 0o666)
    const installed = await run(userData, ['--check-policy', file], { TILLPOINTS_TEST_POLICY: file })
    expect(installed).toMatchObject({ code: 1 })
    expect(installed.stdout).toContain('others can write')
  })
})

test.describe('--hash-pin', () => {
  test('prints the hash of a PIN for a policy, and refuses what is no PIN', async ({ userData }) => {
    const { code, stdout, stderr } = await run(userData, ['--hash-pin', '47114711'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^\$scrypt\$ln=15,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}\n$/)
    const file = join(userData, 'draft.json')
    await writeFile(file, JSON.stringify({ managerPin: stdout.trim() }))
    expect(await run(userData, ['--check-policy', file])).toMatchObject({ code: 0 })
    const refused = await run(userData, ['--hash-pin', '12'])
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.stdout).toContain('4 to 12 digits')
  })
})

test.describe('start', () => {
  test('does not start with a switch that accepts any certificate', async ({ userData }) => {
    const { code, stderr } = await run(userData, ['--ignore-certificate-errors'])
    expect(code).toBe(1)
    expect(stderr).toContain('switch-refused')
  })

  test('a token file that cannot be read is reported', async ({ open, network }) => {
    const { cashier } = await open({
      env: { TILLPOINTS_BASE_URL: network.url, TILLPOINTS_TOKEN_FILE: '/nowhere/token' }
    })
    await expect(cashier.alert.first()).toContainText('token')
  })

  if (process.platform === 'linux') {
    test('settings that cannot be read are named in a dialog, and stay as they are', async ({ userData }) => {
      const settings = join(userData, 'settings.json')
      // Nobody can read its first byte.
      await symlink('/proc/self/mem', settings)
      const mainPreload = join(userData, 'preload.cjs')
      await writeFile(
        mainPreload,
        `require('electron').dialog.showMessageBox = async ({ message, detail }) => {
          console.log(message, detail)
          return { response: 1 }
        }`
      )
      const { stdout } = await runTill({ userData, mainPreload })
      expect(stdout).toContain(`could not start. ${settings} cannot be read`)
      expect(await readlink(settings)).toBe('/proc/self/mem')
    })

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
