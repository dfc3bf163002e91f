/** The browser of these tests has the English of the United States, whose order is month, day, year. */
import { render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { Language } from '../../../../electron/contract/language.ts'
import DateField from '../../../../renderer/src/components/DateField.svelte'
import { setLocale } from '../../../../renderer/src/i18n/locale.svelte.ts'
import '../support/english.ts'

const renderField = (value = '2026-11-22') => {
  const onchange = vi.fn<(day: string) => void>()
  const { rerender } = render(DateField, { label: 'From', value, onchange })
  const field = screen.getByRole('textbox', { name: 'From' })
  return { field, onchange, setValue: (day: string) => rerender({ label: 'From', value: day, onchange }) }
}

afterEach(() => setLocale({ language: 'en', slipLanguage: 'en', country: 'GB' }))

test.each<[Language, string, string, string]>([
  ['en', 'GB', '22/11/2026', '3/2/2027'],
  ['en', 'US', '11/22/2026', '2/3/27'],
  ['de', 'DE', '22.11.2026', '3.2.27'],
  ['fr', 'FR', '22/11/2026', '03-02-2027'],
  ['es', 'ES', '22/11/2026', '3 2 2027'],
  ['el', 'GR', '22/11/2026', '3.2.2027'],
  ['ar', 'EG', '22/11/2026', '٣/٢/٢٠٢٧'],
  ['en', 'GB', '22/11/2026', '2027-02-03']
])('in %s of %s it shows %s, and reads %s', async (language, country, shown, typed) => {
  await setLocale({ language, slipLanguage: language, country })
  const { field, onchange } = renderField()
  expect((field as HTMLInputElement).value.replace(/\p{Bidi_Control}/gu, '')).toBe(shown)
  await userEvent.clear(field)
  await userEvent.type(field, `${typed}{Enter}`)
  expect(onchange.mock.calls).toEqual([['2027-02-03']])
})

test.each(['31/2/2026', '22/11', 'yesterday', '1/1/1/1'])(
  '%s stays in the field, with an example',
  async (typed) => {
    const { field, onchange } = renderField()
    await userEvent.clear(field)
    await userEvent.type(field, `${typed}{Enter}`)
    expect(onchange).not.toHaveBeenCalled()
    expect(field).toHaveProperty('value', typed)
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByRole('alert').textContent.trim()).toBe('Type the day as 31/12/2026.')
    expect(screen.getByRole('alert').querySelector('svg')).not.toBeNull()
    expect(field.getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id)
  }
)

test('can be emptied, and shows a value that changes', async () => {
  const { field, onchange, setValue } = renderField()
  await userEvent.clear(field)
  await userEvent.tab()
  expect(onchange.mock.calls).toEqual([['']])
  await setValue('2026-01-05')
  expect(field).toHaveProperty('value', '05/01/2026')
})

test('the arrows change it by a day', async () => {
  const { field, onchange } = renderField('2026-11-30')
  await userEvent.click(field)
  await userEvent.keyboard('{ArrowUp}{ArrowDown}')
  expect(onchange.mock.calls).toEqual([['2026-12-01'], ['2026-11-29']])
})

test('an empty field shows no day', () => {
  const { field } = renderField('')
  expect(field).toMatchObject({ value: '', placeholder: '' })
})
