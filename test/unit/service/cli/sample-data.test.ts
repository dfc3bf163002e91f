import { describe, expect, it } from 'vitest'
import { parseCommandLine, USAGE } from '../../../../electron/service/cli/sample-data.ts'

describe('parseCommandLine', () => {
  it('returns defaults without arguments', () => {
    expect(parseCommandLine([])).toEqual({
      kind: 'serve',
      options: {
        port: 4010,
        tokens: ['demo'],
        expired: [],
        file: ':memory:',
        seed: { customers: 500, rewards: 24 }
      }
    })
  })

  it('parses every option, and repeated tokens', () => {
    const flags = '--port 0 --token one --token=two --expired old --data x.sqlite --customers 7 --rewards 0'
    expect(parseCommandLine(flags.split(' '))).toEqual({
      kind: 'serve',
      options: {
        port: 0,
        tokens: ['one', 'two'],
        expired: ['old'],
        file: 'x.sqlite',
        seed: { customers: 7, rewards: 0 }
      }
    })
  })

  it('returns help for --help, whose text lists every option', () => {
    expect(parseCommandLine(['--help', '--port', 'x'])).toEqual({ kind: 'help' })
    for (const flag of ['--port', '--token', '--expired', '--data', '--customers', '--rewards', '--help']) {
      expect(USAGE).toContain(flag)
    }
  })

  it.each([
    ['--port 65536', '--port must be a whole number from 0 to 65535, not "65536"'],
    ['--port=-1', '--port must be a whole number from 0 to 65535, not "-1"'],
    ['--port http', '--port must be a whole number from 0 to 65535, not "http"'],
    ['--customers 1.5', '--customers must be a whole number from 0 to 1000000, not "1.5"'],
    ['--rewards x', '--rewards must be a whole number from 0 to 100000, not "x"'],
    [
      '--token two,three',
      '--token may contain only letters, digits and - . _ ~ + / (RFC 6750), not "two,three"'
    ],
    ['--token expired-one', '--token "expired-one" would be refused as expired; remove that word'],
    ['--data=', '--data must be the path of a file'],
    ['--prot 4010', "Unknown option '--prot'"],
    ['4010', "Unexpected argument '4010'"],
    ['--port', "Option '--port <value>' argument missing"]
  ])('reports %s as invalid with a one-line message', (flags, message) => {
    expect(parseCommandLine(flags.split(' '))).toEqual({ kind: 'invalid', message })
  })
})
