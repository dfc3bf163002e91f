/** The progress of long work. */
import { expect, it } from 'vitest'
import { Progress } from '../../../../electron/service/cli/progress.ts'

/** A progress, and what it has written. */
const open = (isTTY: boolean, isAsked = false) => {
  const written: string[] = []
  const write = (text: string): boolean => written.push(text) > 0
  return { progress: new Progress({ write, isTTY }, isAsked), text: () => written.join('') }
}

it('replaces its line on a terminal, and ends it when the work stops before its total', () => {
  const { progress, text } = open(true)
  progress.end()
  progress.report('pages', 1, 4)
  progress.end()
  progress.end()
  expect(text()).toBe('\rpages: 1 of 4\u001b[K\n')
  progress.report('pages', 4, 4)
  progress.end()
  expect(text()).toBe('\rpages: 1 of 4\u001b[K\n\rpages: 4 of 4\u001b[K\n')
})

it('writes whole lines elsewhere, when it is asked to', () => {
  const asked = open(false, true)
  asked.progress.report('pages', 1, 4)
  asked.progress.end()
  expect(asked.text()).toBe('pages: 1 of 4\n')
  const silent = open(false)
  silent.progress.report('pages', 4, 4)
  silent.progress.end()
  expect(silent.text()).toBe('')
})
