import { type Attack, starts } from './attack.ts'

function script(code: string, more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return { do: [{ act: { run: { script: { language: 'js', code, ...more } } } }] }
}

/** Scripts run outside of the main thread; scripts of one account must not delay those of others. */
const scripts: Readonly<Record<string, { readonly definition: unknown; readonly input?: unknown }>> = {
  'endless scripts': { definition: script('for (;;);') },
  'scripts that fill their memory': { definition: script('const a = []; for (;;) a.push(new Array(1000).fill(a.length))') },
  'scripts that make promises without end': {
    definition: script('const f = () => Promise.resolve().then(f); await f(); await new Promise(() => {})'),
  },
  'scripts with 1 MiB of output': { definition: script('console.log("x".repeat(1000000))') },
  'scripts with 900 KB of input': {
    definition: script('JSON.parse(process.argv.at(-1)).length', { arguments: ['${ . }'] }),
    input: Array.from({ length: 100_000 }, (_, n) => n),
  },
  'scripts whose regular expression backtracks': { definition: script('/^(a+)+$/.test("a".repeat(40) + "b")') },
  'endless scripts in forks': {
    definition: {
      do: [
        {
          all: {
            fork: {
              branches: Array.from({ length: 20 }, (_, n) => ({ [`b${n}`]: { run: { script: { language: 'js', code: 'for (;;);' } } } })),
            },
          },
        },
      ],
    },
  },
}

const executions = 60

/** 60 at the start, and then one for each ended one. */
export const scriptAttacks: readonly Attack[] = Object.entries(scripts).map(
  ([name, { definition, input }]): Attack => ({
    name,
    family: 'scripts',
    lanes: 12,
    aimsAt: 'script',
    open: async (attacker) => {
      const send = await starts(definition, input)(attacker)
      return (n) => (n < executions ? send(n) : attacker.call({ path: '/workflows?limit=1' }))
    },
  }),
)
