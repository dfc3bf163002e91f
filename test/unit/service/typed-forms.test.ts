/** Every page of the service with something to type in: a change of its language sends that, too, so that nothing is lost. */
import { expect, it } from 'vitest'
import { openService } from './all-forms.ts'

/** Fields whose text is not given back: secrets and files, which browsers leave to their user. */
const NOT_KEPT = /type="(?:hidden|password|file)"/

interface PageForm {
  readonly isSent: boolean
  /** names of the fields that people type into or choose in */
  readonly typed: readonly string[]
}

const formsOf = (page: string): readonly PageForm[] =>
  Array.from(page.matchAll(/<form\b([^>]*)>((?:(?!<\/form>)[^])*)/g), ([, attributes = '', fields = '']) => ({
    isSent: attributes.includes('id="typed"'),
    typed: Array.from(fields.matchAll(/<(?:input|select|textarea)\b[^>]*/g), ([field]) => field)
      .filter((field) => !NOT_KEPT.test(field))
      .map((field) => / name="([^"]*)"/.exec(field)?.[1] ?? '')
  }))

it('has one form at most on each page with something to type in, which the change of language sends', async () => {
  const office = await openService()
  const queries: Readonly<Record<string, string>> = {
    '/manage/:business/customers/:customer/reverse': `?entry=${office.entry}`,
    '/manage/:business/customers/:customer/merge': `?with=${await office.shop.register('+306901111111', 'Zoe')}`
  }
  const unknown = '/q/unknown'
  const routes = office
    .routes()
    .filter(({ method, path }) => method === 'GET' && !/^\/(?:api|ext)\b/.test(path))
  const addresses = [...new Set(routes.map(({ path }) => office.pathOf(path) + (queries[path] ?? '')))]
  const found: string[] = []
  for (const address of [...addresses, unknown]) {
    const browser = await office.browser(address.endsWith('/sign-in') ? '/' : address)
    const answer = await browser.get(address)
    if (answer.headers.get('content-type')?.startsWith('text/html') !== true) continue
    const page = await answer.text()
    const forms = formsOf(page).filter(({ typed }) => typed.length > 0)
    for (const { typed, isSent } of forms) found.push(`${String(isSent)} ${address} ${typed.join(' ')}`)
    const buttons = page.match(/<button\s+form="typed"\s+name="language"/g)?.length ?? 0
    if (forms.length > 0) found.push(`${buttons === 6 ? 'true' : 'false'} ${address}`)
    if (forms.length > 1) found.push(`false ${address} has ${String(forms.length)}`)
  }
  expect(found.filter((each) => each.startsWith('true')).length).toBeGreaterThan(20)
  expect(found.filter((each) => !each.startsWith('true'))).toEqual([])
})

it.each([
  ['six digits', '/customers/:customer/link', { digits: '123 456' }],
  ['the kind of a file', '/data/imports', { kind: 'rewards' }]
])('keeps %s in another language', async (_, below, typed) => {
  const office = await openService()
  const browser = await office.signedIn('owner')
  const form = { ...typed, language: 'de' }
  const answer = await browser.submit(office.pathOf(`/manage/:business${below}`), form)
  expect(answer.headers.get('content-language')).toBe('de')
  const text = Object.values(typed).join()
  expect(await answer.text()).toMatch(new RegExp(`value="${text}"(?: selected|[^>]*dir=)`))
})

it.each([
  ['a search for customers', '/manage/:business/customers?name=Eva&language=de', 'value="Eva"'],
  ['a search for a code', '/manage/:business/codes?code=7QK2&language=de', 'value="7QK2"'],
  ['the code of a slip', '/?lang=fr&code=7QK2&language=de', 'value="7QK2"'],
  ['no code', '/?code=&language=de', 'value=""']
])('keeps %s in another language', async (_, address, shown) => {
  const office = await openService()
  const browser = await office.browser(address)
  const answer = await browser.follow(await browser.get(office.pathOf(address)))
  expect(answer.headers.get('content-language')).toBe('de')
  expect(await answer.text()).toContain(shown)
})
