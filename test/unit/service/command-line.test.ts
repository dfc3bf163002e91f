import { describe, expect, it } from 'vitest'
import { readCommandLine, usage } from '../../../electron/service/command-line.ts'

describe('the flags of the service', () => {
  it('have defaults that a developer can start with', () => {
    expect(readCommandLine([])).toEqual({
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

  it('are all read, tokens as often as they come', () => {
    const flags = '--port 0 --token one --token=two --expired old --data x.sqlite --customers 7 --rewards 0'
    expect(readCommandLine(flags.split(' '))).toEqual({
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

  it('show the help, which names each of them', () => {
    expect(readCommandLine(['--help', '--port', 'x'])).toEqual({ kind: 'help' })
    for (const flag of ['--port', '--token', '--expired', '--data', '--customers', '--rewards', '--help']) {
      expect(usage).toContain(flag)
    }
  })

  it.each([
    ['--port 65536', '--port takes a whole number from 0 to 65535, not "65536"'],
    ['--port=-1', '--port takes a whole number from 0 to 65535, not "-1"'],
    ['--port http', '--port takes a whole number from 0 to 65535, not "http"'],
    ['--customers 1.5', '--customers takes a whole number from 0 to 1000000, not "1.5"'],
    ['--rewards x', '--rewards takes a whole number from 0 to 100000, not "x"'],
    ['--token two,three', '--token takes letters, digits and - . _ ~ + / only (RFC 6750), not "two,three"'],
    ['--token expired-one', '--token "expired-one" would be answered as expired; leave that word out'],
    ['--data=', '--data takes the path of a file'],
    ['--prot 4010', "Unknown option '--prot'"],
    ['4010', "Unexpected argument '4010'"],
    ['--port', "Option '--port <value>' argument missing"]
  ])('answer %s with one clear line', (flags, message) => {
    expect(readCommandLine(flags.split(' '))).toEqual({ kind: 'mistake', message })
  })
})
