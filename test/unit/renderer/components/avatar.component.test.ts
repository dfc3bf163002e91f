import { render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import Avatar from '../../../../renderer/src/components/Avatar.svelte'
import '../support/english.ts'

test('a row that stays in the page gets its picture; until then its initials stand there', async () => {
  const props = {
    path: '/image/a',
    name: 'Maria Papadaki',
    size: 'small',
    alt: 'Maria',
    patient: true
  } as const
  render(Avatar, props)
  expect(screen.queryByRole('img')).toBeNull()
  expect(screen.getByText('MP')).toBeTruthy()
  await vi.waitFor(() => expect(screen.getByRole('img').getAttribute('src')).toBe('/image/a'))
})

test('a picture that is not patient is requests for at once', () => {
  render(Avatar, { path: '/image/a', name: 'Maria Papadaki', size: 'small', alt: 'Maria' })
  expect(screen.getByRole('img').getAttribute('src')).toBe('/image/a')
})
