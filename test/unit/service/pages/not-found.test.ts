import { expect, it } from 'vitest'
import { LANGUAGES } from '../../../../electron/contract/language.ts'
import { openPages, ORIGIN, textOf } from './visitor.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

it('an unknown address opened by a browser says in its language what to do', async () => {
  const { visitor } = await openPages()
  const response = await visitor().get('/nope', { accept: BROWSER, 'accept-language': 'de' })
  expect(response.status).toBe(404)
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await textOf(response)).toContain('Diese Seite gibt es nicht')
})

it.each([
  '//evil.example/x',
  '///evil.example/x',
  '/\\evil.example/x',
  '/%5Cevil.example/x',
  '/%09/evil.example/x'
])('%s leads to no other site', async (path) => {
  const { visitor } = await openPages()
  const page = await (await visitor().get(path, { accept: BROWSER })).text()
  const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)
  expect(links).toHaveLength(LANGUAGES.length)
  for (const link of links) expect([link, new URL(link, ORIGIN).origin]).toEqual([link, ORIGIN])
})

it.each([
  ['/nope', '*/*'],
  ['/nope', 'application/json'],
  ['/api/nope', BROWSER],
  ['/api', BROWSER]
])('%s with Accept: %s gets an error body', async (path, accept) => {
  const { visitor } = await openPages()
  const response = await visitor().get(path, { accept, authorization: 'Bearer till' })
  expect(response.headers.get('content-type')).toContain('application/json')
  expect(await response.json()).toMatchObject({ statusCode: response.status })
})
