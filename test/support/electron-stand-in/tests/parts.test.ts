import { describe, expect, it } from 'vitest'
import { parseCommandLine, readSwitch } from '../command-line.ts'
import { fromChromium, originOf, ownSchemes, toChromium } from '../main/scheme-map.ts'
import { parseDisplays } from '../main/screen.ts'
import { makeCodec } from '../page/codec.ts'

describe('the codec between page and main process', () => {
  const codec = makeCodec()
  const back = (value: unknown): unknown => codec.parse(codec.stringify(value))

  it.each([
    [undefined],
    [null],
    [-0],
    [NaN],
    [-Infinity],
    [12345678901234567890n],
    ['text "with" \\ and \u2028'],
    [[1, [2, [undefined]]]],
    [{ a: { b: [] }, undefined: undefined }],
    [new Date(-1)],
    [new Map<unknown, unknown>([[{ key: 1 }, new Set(['x'])]])],
    [new Uint8Array([0, 255])],
    [new Float64Array([1.5, -0])],
    [new BigInt64Array([-1n])],
    [/a\/b/giu],
    [['array', 'undefined', 'again']]
  ])('keeps %o', (value) => {
    expect(back(value)).toEqual(value)
  })

  it('keeps a key named __proto__ a key', () => {
    const tricky: unknown = JSON.parse('{ "__proto__": { "polluted": true } }')
    const result = back(tricky) as object
    expect(Object.keys(result)).toEqual(['__proto__'])
    expect(Reflect.get(result, 'polluted')).toBeUndefined()
  })

  it('keeps an error’s class, message and stack, and nothing else', () => {
    const error = Object.assign(new RangeError('far'), { code: 1 })
    const result = back(error) as Error & { code?: number }
    expect(result.name).toBe('RangeError')
    expect(result.message).toBe('far')
    expect(result.stack).toEqual(error.stack)
    expect(result.code).toBeUndefined()
  })

  it('keeps cycles and what is there twice', () => {
    const shared: Record<string, unknown> = {}
    shared['self'] = shared
    const result = back([shared, shared, new Map([[shared, shared]])]) as [
      typeof shared,
      object,
      Map<object, object>
    ]
    expect(result[0]['self']).toBe(result[0])
    expect(result[1]).toBe(result[0])
    expect(result[2].get(result[0])).toBe(result[0])
  })

  it.each([
    [() => 1],
    [Symbol('s')],
    [new WeakMap()],
    [Promise.resolve()],
    [{ inside: [() => 1] }],
    [new Proxy({}, {})]
  ])('refuses %o', (value) => {
    expect(() => codec.stringify(value)).toThrow('An object could not be cloned.')
  })
})

describe('addresses of the app’s own scheme', () => {
  ownSchemes.set('app', { standard: true, secure: true })
  ownSchemes.set('odd', {})

  it.each([
    ['app://till/', 'http://till.app.localhost/'],
    ['app://till', 'http://till.app.localhost/'],
    ['APP://Till/A?b#c', 'http://till.app.localhost/A?b#c'],
    ['https://example.com/x', 'https://example.com/x']
  ])('%s is %s to Chromium', (own, chromium) => {
    expect(toChromium(own)).toBe(chromium)
  })

  it('finds the way back', () => {
    expect(fromChromium('http://till.app.localhost/A?b#c')).toBe('app://till/A?b#c')
    expect(fromChromium('http://till.other.localhost/')).toBe('http://till.other.localhost/')
    expect(fromChromium('http://evil.example/till.app.localhost/')).toBe(
      'http://evil.example/till.app.localhost/'
    )
    expect(originOf('app://till/x?y')).toBe('app://till')
    expect(originOf('data:text/html,x')).toBe('null')
  })

  it('refuses a scheme that is not standard and secure', () => {
    expect(() => toChromium('odd://x/')).toThrow(
      'a page of odd:// without standard and secure is not implemented'
    )
  })
})

describe('describing displays', () => {
  it('lays them side by side, with their scale', () => {
    const found = parseDisplays('1024x768, 800x480@1.5').map(({ bounds, scaleFactor }) => ({
      ...bounds,
      scaleFactor
    }))
    expect(found).toEqual([
      { x: 0, y: 0, width: 1024, height: 768, scaleFactor: 1 },
      { x: 1024, y: 0, width: 800, height: 480, scaleFactor: 1.5 }
    ])
  })

  it.each([[''], ['1024'], ['1024x'], ['1024x768;800x480'], ['-1x5']])('refuses %o', (text) => {
    expect(() => parseDisplays(text)).toThrow('is no list of displays')
  })
})

describe('the command line', () => {
  const parse = (...args: string[]): ReturnType<typeof parseCommandLine> => parseCommandLine(args, {})

  it('reads what a test driver sends', () => {
    expect(
      parse('-r', '/loader.js', '--no-sandbox', '--inspect=0', '--remote-debugging-port=0', '/app', '--x=1')
    ).toEqual({
      preloadModules: ['/loader.js'],
      app: '/app',
      inspectPort: 0,
      remoteDebuggingPort: '0',
      visible: false,
      version: false
    })
  })

  it('leaves what follows the app’s path to the app', () => {
    expect(parse('/app', '-r', 'other', 'file')).toMatchObject({ preloadModules: [], app: '/app' })
    expect(parse('/app', '--version').version).toBe(false)
    expect(parse('--version').version).toBe(true)
  })

  it('takes the last value of a switch', () => {
    expect(readSwitch(['--lang=de', '--lang=fr'], 'lang')).toBe('fr')
    expect(readSwitch(['--lang'], 'lang')).toBe('')
    expect(readSwitch(['--language=x'], 'lang')).toBeUndefined()
  })
})
