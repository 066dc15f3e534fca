import { expect, test } from 'vitest'
import { inLoop } from '#src/editor/picker/in-loop.ts'

const definition = {
  do: [
    { each: { for: { each: 'order', in: '${ .orders }' }, do: [{ group: { do: [] } }] } },
    { lines: { for: { in: '${ .lines }' }, do: [] } },
    { after: { do: [] } },
  ],
}
const branch = {
  route: { do: [{ choose: { switch: [{ yes: { when: '${ .total > 1000 }' } }] } }, { set: { all: '${ . }', fixed: 'a . b' } }] },
}
const reading = (variable: string) => ({
  route: {
    do: [
      { choose: { switch: [{ yes: { when: `\${ ${variable}.total > 1000 }` } }] } },
      { set: { all: `\${ ${variable} }`, fixed: 'a . b' } },
    ],
  },
})

test.each([
  ['/do/0/each/do', reading('$order')],
  ['/do/0/each/do/0/group/do', reading('$order')],
  ['/do/1/lines/do', reading('$item')],
  ['/do', branch],
  ['/do/2/after/do', branch],
])('a branch that is added to %s reads what a round works on', (list, expected) => {
  expect(inLoop(definition, list, branch)).toEqual(expected)
})
