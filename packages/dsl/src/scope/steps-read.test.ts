import { expect, test } from 'vitest'
import { stepsRead } from '#src/shape/index.ts'

test('names of steps are found in every form of an expression, wherever a value has it', () => {
  const task = {
    if: '$steps.first.ok',
    with: { body: ['${ $steps["second one"].id + $steps . third }', { text: 'To \\($steps."fourth"): $stepsize.no' }] },
    set: { all: '${ $steps | keys }', other: '$mysteps.no' },
  }
  expect([...stepsRead(task)]).toEqual(['first', 'second one', 'third', 'fourth'])
})
