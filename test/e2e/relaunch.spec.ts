/** The restart of a till: a second process, which starts when the first one has ended. */
import { once } from 'node:events'
import { readFileSync, readlinkSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { electron } from './support/electron.ts'
import { expect, test as base, TOKENS, type Counter } from './support/fixtures.ts'

/** Returns the process that has the user-data folder open, by Chromium's lock; null if there is none. */
function processOf(userData: string): number | null {
  try {
    return Number(/-(\d+)$/.exec(readlinkSync(join(userData, 'SingletonLock')))?.[1])
  } catch {
    return null
  }
}

/** Returns how many starts of a till have shown its page. */
const startsOf = ({ userData }: Counter): number =>
  readFileSync(join(userData, 'logs/till.log'), 'utf8').split('"renderer-ready"').length - 1

interface Fixtures {
  /** Throws an error that nothing catches, chooses Restart, and waits for the end of the process. */
  readonly restart: (till: Counter) => Promise<void>
}

const test = base.extend<Fixtures>({
  restart: async ({ userData }, use) => {
    await use(async (till) => {
      await expect.poll(() => startsOf(till)).toBe(1)
      const ended = once(till.app.process(), 'exit')
      await till.app.evaluate(({ dialog }) => {
        dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false })
        setImmediate(() => {
          throw new Error('An error of this test')
        })
      })
      await ended
    })
    // The second process is no child of the test.
    const folder = join(userData, 'till')
    const second = processOf(folder)
    if (second === null) return
    process.kill(second, 'SIGTERM')
    await expect.poll(() => processOf(folder)).toBeNull()
  }
})

if (process.platform === 'linux') {
  test('a restart keeps the options, but none of one start, and a token that only the environment contained', async ({
    open,
    network,
    restart
  }) => {
    const till = await open({
      args: ['--password-store=basic', '--update-not-installed', 'tillpoints://bill?points=5'],
      env: {
        TILLPOINTS_BASE_URL: network.url,
        TILLPOINTS_TOKEN: TOKENS.good,
        TILLPOINTS_STAND_IN_KEYRING: 'basic_text'
      }
    })
    const profileReads = (): number => network.seen.filter(({ path }) => path === '/account').length
    await expect.poll(profileReads).toBe(1)
    await restart(till)
    await expect.poll(() => startsOf(till)).toBe(2)
    await expect.poll(profileReads).toBe(2)
    const command = await readFile(`/proc/${String(processOf(till.userData))}/cmdline`, 'utf8')
    expect(command.split('\0')).toContain('--password-store=basic')
    expect(command).not.toMatch(/--update-not-installed|tillpoints:\/\//)
  })
}

if (electron.kind === 'stand-in' && process.platform === 'linux') {
  /**
   * What an AppImage does that is started with `--appimage-extract-and-run`: it unpacks the program into the same folder
   * each time, runs it, and removes the folder.
   */
  const APP_IMAGE = `#!/bin/sh
echo "$@" >> "$0.starts"
export APPIMAGE="$0" APPDIR="$(dirname "$0")/appimage_extracted_1"
mkdir "$APPDIR" || exit 1
cp '${electron.executable}' "$APPDIR/tillpoints"
"$APPDIR/tillpoints" "$@"
rm -r "$APPDIR"
`

  test('a restart from an AppImage starts its file again, whose program is gone by then', async ({
    open,
    userData,
    restart
  }) => {
    const file = join(userData, 'Tillpoints.AppImage')
    await writeFile(file, APP_IMAGE)
    await chmod(file, 0o755)
    const till = await open({ installed: file, args: ['.'] })
    await restart(till)
    await expect.poll(() => startsOf(till)).toBe(2)
    const starts = (await readFile(`${file}.starts`, 'utf8')).trimEnd().split('\n')
    expect(starts).toHaveLength(2)
    expect(starts[1]).toContain(`--user-data-dir=${till.userData}`)
  })

  test('a restart from an AppImage gives a token of the environment to the till, and to no other program', async ({
    open,
    network,
    userData,
    restart
  }) => {
    const file = join(userData, 'Tillpoints.AppImage')
    // The programs that wait for the end of the first till write down what they inherit.
    const programs = join(userData, 'programs')
    const inherited = join(userData, 'inherited')
    // The folder stays until it is waited for: otherwise a machine that is busy then begins to wait when it is gone.
    const waited = `for try in $(seq 200); do grep -qs sleep '${inherited}' && break; /bin/sleep 0.1; done`
    await writeFile(file, APP_IMAGE.replace('rm -r', `${waited}\nrm -r`))
    await chmod(file, 0o755)
    await mkdir(programs)
    for (const name of ['bash', 'sleep']) {
      await writeFile(
        join(programs, name),
        `#!/bin/sh\necho "${name}: \${TILLPOINTS_TOKEN:-no token}" >> '${inherited}'\nexec /bin/${name} "$@"\n`
      )
      await chmod(join(programs, name), 0o755)
    }
    const till = await open({
      installed: file,
      args: ['.', '--password-store=basic'],
      env: {
        PATH: `${programs}:${String(process.env['PATH'])}`,
        TILLPOINTS_BASE_URL: network.url,
        TILLPOINTS_TOKEN: TOKENS.good,
        TILLPOINTS_STAND_IN_KEYRING: 'basic_text'
      }
    })
    const profileReads = (): number => network.seen.filter(({ path }) => path === '/account').length
    await expect.poll(profileReads).toBe(1)
    await restart(till)
    // With a token that was given again it also reads the profile before its first other request.
    await expect.poll(profileReads).toBeGreaterThan(1)
    const lines = (await readFile(inherited, 'utf8')).trimEnd().split('\n')
    expect([...new Set(lines)]).toEqual(['bash: no token', 'sleep: no token'])
  })
}
