import { expect, it } from 'vitest'
import { openPages, textOf } from './visitor.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

it('an unknown address opened by a browser says in its language what to do', async () => {
  const { visitor } = await openPages()
  const response = await visitor().get('/nope', { accept: BROWSER, 'accept-language': 'de' })
  expect(response.status).toBe(404)
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await textOf(response)).toContain('Diese Seite gibt es nicht')
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
