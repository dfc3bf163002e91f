/** `reward`: the catalogue of a business. */
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { ServiceProgram } from './program.ts'

const program = new ServiceProgram()
const catalogue = v.array(
  v.object({ id: v.string(), name: v.string(), cost: v.number(), index: v.number(), isEnable: v.boolean() })
)

it('adds, edits, orders and disables rewards, with the index from 1', async () => {
  await program.run('init')
  await program.run('business', 'add', '--name', 'Corner Café', '--country', 'GR')
  const ids: string[] = []
  for (const [name, points] of [
    ['Tea', '80'],
    ['καφές', '90'],
    ['قهوة', '70']
  ]) {
    const reward = v.object({ id: v.string() })
    const added = await program.json(reward, 'reward', 'add', '--name', name ?? '', '--points', points ?? '')
    ids.push(added.id)
  }
  const [tea = '', coffee = '', third = ''] = ids
  expect((await program.run('reward', 'edit', tea, '--points', '85')).code).toBe(0)
  expect((await program.run('reward', 'disable', coffee)).stdout).toContain('disabled')
  const ordered = await program.json(catalogue, 'reward', 'order', third, tea)
  expect(ordered.map(({ id, index, cost, isEnable }) => [id, index, cost, isEnable])).toEqual([
    [third, 1, 70, true],
    [tea, 2, 85, true],
    [coffee, 3, 90, false]
  ])
  expect(await program.json(catalogue, 'reward', 'list')).toEqual(ordered)
  expect(await program.run('reward', 'order', tea, 'rew_none')).toMatchObject({
    code: 1,
    stderr: 'There is no reward rew_none (see reward list).\n'
  })
  expect(await program.run('reward', 'add', '--name', ' ', '--points', '5')).toMatchObject({ code: 1 })
  expect(await program.run('reward', 'edit', tea, '--points', '0')).toMatchObject({ code: 2 })
  expect(await program.json(catalogue, 'reward', 'list')).toEqual(ordered)
})
