import { expect, it } from 'vitest'
import { Turns } from '../../../../electron/service/manage/turns.ts'

it('lets another wait for one piece of work, however many one asks for, and goes on after a failure', async () => {
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
  expect(done).toEqual(['a1', 'b1', 'a2', 'a3', 'a4'])
  expect(await turns.run('a', work('a5'))).toBe('a5')
})
