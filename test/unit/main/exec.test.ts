import { describe, expect, test } from 'vitest'
import { exec } from '../../../electron/main/exec.ts'

/** Node itself, as a program that every machine of a test has. */
const inNode = (program: string, ...args: string[]) =>
  exec(process.execPath, ['--eval', program, '--', ...args], { environment: process.env, timeout: 30_000 })

describe('a program of the print system', () => {
  test('is started without a shell: its arguments are passed unchanged', async () => {
    const hostile = ['$(id)', '`id`', '; id', '| id', '"', "'", '%PATH%', '--', 'two\nlines', 'Καφές']
    const { code, stdout } = await inNode('console.log(JSON.stringify(process.argv.slice(1)))', ...hostile)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(hostile)
  })

  test('resolves with its exit code and its output', async () => {
    expect(await inNode('console.log("said"); console.error("complained"); process.exit(3)')).toEqual({
      code: 3,
      stdout: 'said\n',
      stderr: 'complained\n'
    })
  })

  test('that is not there says so', async () => {
    const ended = await exec('/no/such/program', [], { environment: {}, timeout: 30_000 })
    expect(ended).toMatchObject({ code: null, cause: 'ENOENT' })
  })

  test('is stopped after its time', async () => {
    const ended = await exec(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], {
      environment: process.env,
      timeout: 200
    })
    expect(ended.code).toBeNull()
  })

  test.each([
    ['is killed by another', 'process.kill(process.pid, "SIGKILL")'],
    ['writes more than is read', 'process.stdout.write("x".repeat(5_000_000))']
  ])('that %s was started', async (_how, program) => {
    const ended = await inNode(program)
    expect(ended).toMatchObject({ code: null })
    expect(ended).not.toHaveProperty('cause')
  })
})
