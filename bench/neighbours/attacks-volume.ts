import { again, type Attack, runs, starts } from './attack.ts'

const large = 'x'.repeat(1_000_000)
const cheap = { set: { n: '${ (.n // 0) + 1 }' } }

/** Floods of cheap requests. */
export const volumeAttacks: readonly Attack[] = [
  { name: 'tasks that go back to the first', family: 'volume', lanes: 20, open: runs({ do: [{ act: { ...cheap, then: 'act' } }] }) },
  {
    name: 'a loop of ten million tasks',
    family: 'volume',
    open: runs({ do: [{ each: { for: { in: '${ [range(1000000)] }' }, while: 'true', do: [{ act: cheap }, { more: cheap }] } }] }),
  },
  {
    name: 'loops in loops in loops',
    family: 'volume',
    open: runs({
      do: [
        {
          a: {
            for: { in: '${ [range(1000)] }' },
            do: [{ b: { for: { in: '${ [range(1000)] }' }, do: [{ c: { for: { in: '${ [range(1000)] }' }, do: [{ act: cheap }] } }] } }],
          },
        },
      ],
    }),
  },
  {
    name: 'forks of 1,000 branches',
    family: 'volume',
    open: runs({ do: again(1_000, { fork: { branches: Array.from({ length: 1_000 }, (_, n) => ({ [`b${n}`]: cheap })) } }) }),
  },
  {
    name: 'loops with a thousand iterations at a time',
    family: 'volume',
    open: runs({
      do: [
        {
          each: {
            metadata: { concurrency: 1_000 },
            for: { in: '${ [range(100000)] }' },
            do: [{ act: cheap }, { pause: { wait: { milliseconds: 1 } } }],
          },
        },
      ],
    }),
  },
  {
    name: 'tries that are tried again without end',
    family: 'volume',
    open: runs({
      do: [
        {
          attempt: {
            try: [{ fail: { raise: { error: { type: 'https://x.example/e', status: 500, title: 'no' } } } }],
            catch: { retry: { delay: { milliseconds: 0 }, limit: { attempt: { count: 1_000_000 } } } },
          },
        },
      ],
    }),
  },
  {
    name: '500 starts with inputs of 1 MB',
    family: 'volume',
    lanes: 100,
    open: starts({ do: [{ act: { set: { n: '${ .text | length }' } } }] }, { text: large }),
  },
  { name: 'starts at a hundred at a time', family: 'volume', lanes: 100, open: starts({ do: [{ act: cheap }] }) },
  {
    name: 'executions that wait for a millisecond',
    family: 'volume',
    lanes: 50,
    open: starts({ do: again(1_000, { wait: { milliseconds: 1 } }) }),
  },
  { name: 'executions that wait for a day', family: 'volume', lanes: 50, open: starts({ do: [{ pause: { wait: { days: 1 } } }] }) },
  {
    name: 'cancels of executions at work',
    family: 'volume',
    lanes: 16,
    open: async (attacker) => {
      const start = await starts({ do: [{ act: { ...cheap, then: 'act' } }] })(attacker)
      return async (n) => {
        const id = /"id":"(exec_\w+)"/.exec((await start(n)).text)?.[1]
        return await attacker.call({ method: 'POST', path: `/workflows/executions/${id}/cancel`, body: {} })
      }
    },
  },
  {
    name: 'replays of all dead letters',
    family: 'volume',
    lanes: 16,
    open: (attacker) => Promise.resolve(() => attacker.call({ method: 'POST', path: '/queue/dead-letter/replay', body: {} })),
  },
  {
    name: 'bodies of 1 MiB that are no JSON',
    family: 'volume',
    lanes: 16,
    open: (attacker) => {
      const body = `{"input":${'{"a":'.repeat(150_000)}`
      return Promise.resolve(() => attacker.call({ method: 'POST', path: '/execute/wf_01h455vb4pex5vsknk084sn02q/run', body }))
    },
  },
]
