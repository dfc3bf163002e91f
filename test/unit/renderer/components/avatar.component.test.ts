import { render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import Avatar from '../../../../renderer/src/components/Avatar.svelte'
import '../support/english.ts'

test('Avatar with `deferred` shows the initials first and loads the image when the row stays visible', async () => {
  const props = {
    path: '/image/a',
    name: 'Maria Papadaki',
    size: 'small',
    alt: 'Maria',
    deferred: true
  } as const
  render(Avatar, props)
  expect(screen.queryByRole('img')).toBeNull()
  expect(screen.getByText('MP')).toBeTruthy()
  await vi.waitFor(() => expect(screen.getByRole('img').getAttribute('src')).toBe('/image/a'))
})

test('Avatar without `deferred` loads the image at once', () => {
  render(Avatar, { path: '/image/a', name: 'Maria Papadaki', size: 'small', alt: 'Maria' })
  expect(screen.getByRole('img').getAttribute('src')).toBe('/image/a')
})
