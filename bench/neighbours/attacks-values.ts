import { again, type Attack, type Attacker, documentHead, runs, sets } from './attack.ts'

const mebibyte = 1024 * 1024

function nested(depth: number): string {
  return `reduce range(${depth}) as $i (1; [.])`
}

/** Deep or large values, which the group commit writes together with the data of other accounts. */
export const valueAttacks: readonly Attack[] = [
  { name: 'a value 100,000 deep', family: 'values', lanes: 4, open: runs({ do: [{ deep: sets(nested(100_000)) }] }) },
  { name: 'a value 9,000 deep', family: 'values', lanes: 4, open: runs({ do: [{ deep: sets(nested(9_000)) }] }) },
  { name: 'a value 3,000 deep', family: 'values', lanes: 4, open: runs({ do: [{ deep: sets(nested(3_000)) }] }) },
  {
    name: 'objects 100,000 deep',
    family: 'values',
    lanes: 4,
    open: runs({ do: [{ deep: sets('reduce range(100000) as $i (1; { a: . })') }] }),
  },
  {
    name: 'a deep value by fromjson',
    family: 'values',
    lanes: 4,
    open: runs({ do: [{ deep: sets('("[" * 9999 + "]" * 9999) | fromjson') }] }),
  },
  {
    name: 'a deep value by a script',
    family: 'values',
    lanes: 2,
    open: runs({
      do: [
        {
          deep: {
            run: { script: { language: 'js', code: 'console.log("[".repeat(60000) + "]".repeat(60000))' } },
            output: { as: '${ fromjson }' },
          },
        },
      ],
    }),
  },
  {
    name: 'a deep value across an effect',
    family: 'values',
    lanes: 4,
    open: runs({
      do: [{ deep: sets(nested(100_000)) }, { script: { run: { script: { language: 'js', code: '1' } } } }, { after: sets('.') }],
    }),
  },
  {
    name: 'a deep value in the context',
    family: 'values',
    lanes: 4,
    open: runs({
      do: [{ deep: { set: { a: 1 }, export: { as: `\${ ${nested(50_000)} }` } } }, { wait: { wait: { milliseconds: 1500 } } }],
    }),
  },
  {
    name: 'a deep value in an event',
    family: 'values',
    lanes: 4,
    open: runs({
      do: [{ report: { emit: { event: { with: { source: 'https://x.example', type: 'com.deep', data: `\${ ${nested(50_000)} }` } } } } }],
    }),
  },
  {
    name: 'a deep value in an error',
    family: 'values',
    lanes: 4,
    open: runs({
      do: [
        {
          fail: {
            raise: { error: { type: 'https://x.example/e', status: 500, title: 'deep', detail: `\${ ${nested(50_000)} | tojson }` } },
          },
        },
      ],
    }),
  },
  { name: 'deep input', family: 'values', lanes: 4, open: deepInput },
  {
    name: 'values of 15 MiB in a loop',
    family: 'values',
    open: runs({ do: again(50, sets(`"x" * ${15 * mebibyte}`)) }),
  },
  {
    name: 'values of 15 MiB across effects',
    family: 'values',
    lanes: 2,
    open: runs({ do: again(20, { ...sets(`"x" * ${15 * mebibyte}`), export: { as: '${ . }' } }) }),
  },
  {
    name: 'arrays of 15 MiB as outputs',
    family: 'values',
    lanes: 4,
    open: runs({ do: [{ large: sets('[range(2000000)]') }] }),
  },
  {
    name: 'a context that grows',
    family: 'values',
    lanes: 4,
    open: runs({ do: again(2_000, { set: { a: 1 }, export: { as: '${ [($context // []), [range(1000)]] }' } }) }),
  },
  {
    name: 'a template of 20,000 members in a loop',
    family: 'values',
    lanes: 4,
    open: runs({ do: again(1_000, { set: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`m${n}`, '${ 1 + 1 }'])) }) }),
  },
]

function deepInput(attacker: Attacker): Promise<() => ReturnType<Attacker['call']>> {
  const text = `{"input":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
  return attacker
    .define({ document: documentHead('takes-anything'), do: [{ act: { set: { a: 1 } } }] })
    .then((id) => () => attacker.call({ method: 'POST', path: `/workflows/${id}/execute`, body: text }))
}
