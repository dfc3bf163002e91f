/** What is said of each wrong value of a policy, and which printers a text names. */
import { describe, expect, it } from 'vitest'
import { SETTINGS } from '../../../../electron/contract/settings.ts'
import {
  parsePolicy,
  POLICY_OPTIONS,
  POLICY_SCHEMAS,
  POLICY_SECTIONS
} from '../../../../electron/main/policy/policy.ts'
import { readJsonPolicy, readPropertyList } from '../../../../electron/main/policy/policy-sources.ts'

/** Every kind of value that JSON has, and some that only look right. */
const VALUES = [
  '',
  'text',
  '2',
  -1,
  1.5,
  1e9,
  true,
  null,
  [],
  ['text'],
  [0],
  {},
  { text: 1 },
  { kind: 'text' }
]

const refusalsOf = (content: unknown, isText = false) => parsePolicy(content, { isText }).mistakes

/** A sentence that names the key, what is allowed, and what to do. */
function expectSentence(message: string, key: string): void {
  expect(message).toMatch(
    /^("[\w.]+" (must be \S.*, but is \S.*\. Correct it, or remove it|is missing\. It must be \S.*\. Add it)|There is no "\S+" (here\. Allowed are|in "[\w.]+", which must be) \S.*\. Correct the name, or remove it)\.$/u
  )
  expect(message).toContain(key)
  expect(message).not.toMatch(/Expected|received|Invalid|undefined|NaN|\[object/u)
}

describe.each([...POLICY_SCHEMAS.keys()])('%s', (name) => {
  it.each(POLICY_SECTIONS)('has a sentence for each wrong value in %s', (section) => {
    const [group = name, own] = name.split('.')
    let refused = 0
    for (const value of VALUES) {
      const mistakes = refusalsOf({ [section]: { [group]: own === undefined ? value : { [own]: value } } })
      for (const { message } of mistakes) expectSentence(message, own ?? group)
      refused += mistakes.length
    }
    expect(refused).toBeGreaterThan(0)
  })
})

it.each(Object.keys(POLICY_OPTIONS))('the option %s has a sentence for each wrong value', (name) => {
  for (const value of ['', 7, true, null, [], {}])
    for (const { message } of refusalsOf({ [name]: value })) expectSentence(message, name)
  expect(refusalsOf({ [name]: 7 })).toHaveLength(1)
})

it.each([
  [
    { locked: { printer: 'Receipt' } },
    'locked.printer',
    '"printer" must be an object of settings: "destination", "paperSize"'
  ],
  [{ locked: [] }, 'locked', '"locked" must be an object of settings: "service", '],
  [{ lock: {} }, 'lock', 'Allowed are "locked", "default"'],
  [{ locked: { slip: { foot: '' } } }, 'locked.slip.foot', 'Allowed are "headline", "footer"'],
  [{ locked: { copies: '2' } }, 'locked.copies', '"copies" must be a whole number from 1 to 5, but is "2"'],
  [{ locked: { theme: 'blue' } }, 'locked.theme', 'one of "system", "light", "dark"'],
  [{ locked: { country: 'Greece' } }, 'locked.country', 'two capital letters'],
  [
    { default: { pointsRule: { rounding: 'up' } } },
    'default.pointsRule',
    '"pointsRule.pointsPerUnit" is missing. It must be a decimal number'
  ],
  [
    { locked: { printer: { destination: { kind: 'receipt-printer', connection: { kind: 'network' } } } } },
    'locked.printer.destination',
    '"printer.destination.connection.host" is missing. It must be a host name or an IP address'
  ],
  [
    { locked: { printer: { destination: { kind: 'printer' } } } },
    'locked.printer.destination',
    '"printer.destination.kind" must be one of "folder", "queue", "receipt-printer", but is "printer"'
  ],
  [
    { locked: { printer: { destination: { kind: 'queue', name: 'A', port: 1 } } } },
    'locked.printer.destination',
    'There is no "port" in "printer.destination", which must be an object'
  ],
  [
    { locked: { printer: { destination: '192.168.1.500' } } },
    'locked.printer.destination',
    'such as "192.168.1.50"'
  ],
  [
    { locked: { printer: { destination: 'socket://a:99999' } } },
    'locked.printer.destination',
    'from 1 to 65535, but is 99999'
  ]
])('%j is told by its key', (content, name, words) => {
  const [mistake] = refusalsOf(content)
  expect(mistake?.name).toBe(name)
  expect(mistake?.message).toContain(words)
})

it('does not print a pairing code or a PIN', () => {
  for (const { message } of refusalsOf({ pairingCode: 'BCDF-GHJ7', managerPin: '47114711' })) {
    expect(message).not.toMatch(/GHJ7|4711/u)
  }
})

it('says in words what is no JSON and no property list', async () => {
  for (const reading of [
    readJsonPolicy(Buffer.from('{\n"locked": {,}')),
    await readPropertyList(Buffer.from('{}'))
  ])
    expect(reading).toMatchObject({
      kind: 'broken',
      mistake: { message: expect.stringMatching(/^This is no .*\.$/u) as string }
    })
})

describe('a printer', () => {
  const named = (text: string, isText = false): unknown => {
    const { policy, mistakes } = parsePolicy({ locked: { printer: { destination: text } } }, { isText })
    expect(mistakes).toEqual([])
    return policy.locked['printer.destination']
  }

  it.each([
    ['192.168.1.50', '192.168.1.50', 9100],
    [' 192.168.1.50 ', '192.168.1.50', 9100],
    ['192.168.1.50:9101', '192.168.1.50', 9101],
    ['fe80::1', 'fe80::1', 9100],
    ['[2001:db8::5]:9100', '2001:db8::5', 9100],
    ['printer.local', 'printer.local', 9100],
    ['kitchen-2.shop.example:9100', 'kitchen-2.shop.example', 9100],
    ['receipt:9100', 'receipt', 9100],
    ['socket://192.168.1.50', '192.168.1.50', 9100],
    ['TCP://receipt:9102/', 'receipt', 9102]
  ])('%j is one in the network', (text, host, port) => {
    for (const isText of [false, true])
      expect(named(text, isText)).toMatchObject({
        kind: 'receipt-printer',
        connection: { kind: 'network', host, port, announcedName: null },
        language: 'esc-pos',
        reportsState: true
      })
  })

  it.each([
    ['/dev/usb/lp0', { kind: 'device', path: '/dev/usb/lp0' }],
    [
      '/dev/ttyUSB0',
      { kind: 'serial', path: '/dev/ttyUSB0', baudRate: 38_400, parity: 'none', handshake: 'none' }
    ],
    ['com3', { kind: 'serial', path: 'COM3', baudRate: 38_400, parity: 'none', handshake: 'none' }]
  ])('%j is a device', (text, connection) => {
    expect(named(text)).toMatchObject({ kind: 'receipt-printer', connection })
  })

  it.each(['Receipt', 'EPSON_TM_m30', 'TM-T20 v2.0', '\\\\server\\Receipt', 'Office printer (copy 1)'])(
    '%j is a queue',
    (name) => {
      expect(named(name)).toEqual({ kind: 'queue', name })
    }
  )

  it.each([
    '192.168.1',
    '192.168.1.500',
    'ipp://printer.local/ipp',
    'http://192.168.1.50',
    '192.168.1.50:99999'
  ])('%j is neither', (text) => {
    expect(refusalsOf({ locked: { printer: { destination: text } } })).toHaveLength(1)
  })

  it('needs of its object only what is not usual', () => {
    const destination = { kind: 'receipt-printer', connection: { kind: 'network', host: '10.0.0.5' } }
    const { policy, mistakes } = parsePolicy({ locked: { printer: { destination } } }, { isText: false })
    expect(mistakes).toEqual([])
    expect(policy.locked['printer.destination']).toMatchObject({
      connection: { port: 9100, announcedName: null },
      cut: 'partial'
    })
  })
})

it('takes the value of a new till for each setting', () => {
  for (const [name, { standard }] of SETTINGS)
    expect(refusalsOf({ locked: { [name]: standard } })).toEqual([])
})
