import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { registerAppProtocol, handleAppProtocol } from '../../../../electron/main/platform/app-protocol.ts'

interface Registered {
  scheme: string
  privileges: Record<string, boolean>
}

const electron = vi.hoisted(() => {
  const kept: { handler?: (request: Request) => Promise<Response>; schemes: Registered[] } = { schemes: [] }
  return {
    kept,
    app: { isPackaged: false },
    protocol: {
      registerSchemesAsPrivileged: (schemes: Registered[]) => kept.schemes.push(...schemes),
      handle: (_scheme: string, handler: (request: Request) => Promise<Response>) => {
        kept.handler = handler
      }
    }
  }
})
vi.mock('electron', () => electron)

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'scheme-'))
  const page = join(root, 'page')
  mkdirSync(join(page, 'assets'), { recursive: true })
  writeFileSync(join(root, 'secret.js'), 'secret')
  writeFileSync(join(page, 'index.html'), '<!doctype html>')
  writeFileSync(join(page, 'assets', 'app.js'), '1')
  writeFileSync(join(page, 'assets', 'notes.txt'), 'no type')
  mkdirSync(join(root, 'page-of-another'))
  writeFileSync(join(root, 'page-of-another', 'x.js'), 'secret')
  handleAppProtocol(page, (key) =>
    Promise.resolve(key === 'known' ? { bytes: new Uint8Array([1, 2]), type: 'image/png' } : undefined)
  )
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const ask = async (url: string, method = 'GET'): Promise<Response> => {
  const { handler } = electron.kept
  if (!handler) throw new Error('Nothing serves the page')
  // A Request would tidy the path up, as Chromium does for a link; a script may send it as it is.
  return handler({ url, method } as Request)
}

describe('the page’s own scheme', () => {
  test('is standard and secure, and bypasses no content policy', () => {
    registerAppProtocol()
    expect(electron.kept.schemes).toEqual([
      { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }
    ])
  })

  test('serves the built files, each with the content policy and its own type', async () => {
    const page = await ask('app://till/')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const script = await ask('app://till/assets/app.js')
    expect(script.status).toBe(200)
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(await (await ask('app://till/image/known')).arrayBuffer()).toHaveProperty('byteLength', 2)
  })

  test('allows nothing inline, nothing evaluated, nothing remote and no frame', async () => {
    for (const url of ['app://till/', 'app://till/image/known', 'app://till/gone.js']) {
      const { headers } = await ask(url)
      const policy = headers.get('content-security-policy') ?? ''
      const directives = new Map(
        policy.split('; ').map((directive) => {
          const [name = '', ...sources] = directive.split(' ')
          return [name, sources]
        })
      )
      expect(directives.get('default-src')).toEqual(["'none'"])
      expect(directives.get('frame-ancestors')).toEqual(["'none'"])
      expect(directives.get('form-action')).toEqual(["'none'"])
      expect(directives.get('base-uri')).toEqual(["'none'"])
      for (const name of ['connect-src', 'frame-src', 'worker-src', 'object-src']) {
        expect(directives.has(name)).toBe(false)
      }
      expect(directives.get('script-src')).toEqual(["'self'"])
      for (const sources of directives.values()) {
        for (const source of sources) expect(["'none'", "'self'", 'data:']).toContain(source)
      }
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test.each([
    'app://till/../secret.js',
    'app://till/..%2fsecret.js',
    'app://till/%2e%2e/secret.js',
    'app://till/assets/..%5c..%5csecret.js',
    'app://till/..%2fpage-of-another/x.js',
    'app://till/assets/notes.txt',
    'app://till/assets',
    'app://till/image/unknown',
    'app://till/image/..%2fsecret.js',
    'app://till//etc/passwd',
    'app://till/%00.js',
    'app://elsewhere/',
    'app://till.example/'
  ])('answers 404 to %s', async (url) => {
    const answer = await ask(url)
    expect(answer.status).toBe(404)
    expect(await answer.text()).toBe('')
  })

  test('answers to GET alone', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD']) {
      expect((await ask('app://till/', method)).status).toBe(404)
    }
  })

  test('answers 404 to an address that cannot be decoded', async () => {
    expect((await ask('app://till/%E0%A4%A.js')).status).toBe(404)
  })
})

describe('under npm run dev', () => {
  beforeEach(() => {
    vi.stubEnv('ELECTRON_RENDERER_URL', 'http://localhost:5173')
    const headers = { 'content-type': 'text/javascript' }
    vi.stubGlobal(
      'fetch',
      vi.fn().mockImplementation(() => Promise.resolve(new Response('x', { headers })))
    )
  })
  afterEach(() => {
    electron.app.isPackaged = false
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  })

  test('a page is served from the dev server under its own origin', async () => {
    const response = await ask('app://till/src/main.ts?v=1')
    expect(fetch).toHaveBeenCalledWith(new URL('http://localhost:5173/src/main.ts?v=1'))
    expect(response.headers.get('content-type')).toBe('text/javascript')
  })

  test('the content policy allows hot reload and no more', async () => {
    const policy = (await ask('app://till/')).headers.get('content-security-policy')
    expect(policy).toContain("style-src 'nonce-dev' 'self'")
    expect(policy).toContain("connect-src 'self' ws://localhost:5173")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toContain('unsafe')
  })

  test('an installed app ignores the dev server', async () => {
    electron.app.isPackaged = true
    const response = await ask('app://till/')
    expect(await response.text()).toBe('<!doctype html>')
    expect(response.headers.get('content-security-policy')).not.toContain('ws:')
    expect(fetch).not.toHaveBeenCalled()
  })
})
