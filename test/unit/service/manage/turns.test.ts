import { expect, it } from 'vitest'
import { Turns } from '../../../../electron/service/manage/turns.ts'

/** Turns that record who worked, in order. */
const recordedTurns = () => {
  const turns = new Turns()
  const done: string[] = []
  const run = (who: string) =>
    turns.run(who, () => {
      done.push(who)
      return Promise.resolve()
    })
  return { done, run }
}

it('goes on after a failure, and lets another wait for one piece of work, however many one asks for', async () => {
  const turns = new Turns()
  const done: string[] = []
  const work = (name: string) => () => {
    done.push(name)
    return name === 'a2' ? Promise.reject(new Error(name)) : Promise.resolve(name)
  }
  const many = ['a1', 'a2', 'a3', 'a4'].map((name) => turns.run('a', work(name)))
  const other = turns.run('b', work('b1'))
  const outcomes = await Promise.allSettled([...many, other])
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled'
  ])
  expect(done).toEqual(['a1', 'b1', 'a4', 'a3', 'a2'])
  expect(await turns.run('a', work('a5'))).toBe('a5')
})

it('lets who asks for the first time wait for one piece of work, however many others wait', async () => {
  const { done, run } = recordedTurns()
  const others = Array.from({ length: 200 }, (_, index) => `other ${String(index)}`)
  const flood = [...others, ...others].map(run)
  const first = run('newcomer')
  // Those who come later and have asked before are behind, and a second newcomer is not.
  const later = [...others.map(run), run('second')]
  await first
  expect(done).toEqual(['other 0', 'second', 'newcomer'])
  await Promise.all([...flood, ...later])
  expect(done).toHaveLength(602)
})

it('begins to count anew when there is nothing to do', async () => {
  const { done, run } = recordedTurns()
  await Promise.all([run('a'), run('a'), run('a')])
  await Promise.all([run('c'), run('b'), run('b'), run('a')])
  expect(done.slice(3)).toEqual(['c', 'a', 'b', 'b'])
})
