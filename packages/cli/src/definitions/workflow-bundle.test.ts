import { describe, expect, test } from 'vitest'
import { createFolder, type Folder } from '#testing/cli.ts'
import { definition } from '#testing/definitions.ts'
import { checkDefinition } from './check-definition.ts'
import { childReferences } from './child-references.ts'
import { collectBundle } from './workflow-bundle.ts'
import { type LoadedDefinition, loadDefinition } from './load-definition.ts'
import { tasksIn } from './tasks-in.ts'

const runs = (name: string, version = 'latest'): string =>
  definition(`- ask:\n    run: { workflow: { namespace: test, name: ${name}, version: '${version}' } }`, { name: `runs-${name}` })
const plain = (name: string, version = '1.0.0'): string => definition('- a: { set: { b: 1 } }', { name, version })

function load(file: string, text: string): LoadedDefinition {
  const loaded = loadDefinition(checkDefinition(file, text))
  if (loaded === undefined) throw new Error(`${file} of the test is wrong`)
  return loaded
}

function rootIn(folder: Folder, text: string): LoadedDefinition {
  return load(folder.file('root.yaml'), text)
}

describe('a bundle', () => {
  test('the bundle of a workflow without children is the workflow alone, and no folder is searched', async () => {
    const root = load('/nowhere/root.yaml', plain('root'))
    expect((await collectBundle(root, [])).members).toEqual([root])
  })

  test('a bundle contains children of children, each found in its folder', async () => {
    await using folder = await createFolder({
      'child.yaml': runs('grandchild').replace('runs-grandchild', 'child'),
      'last.yml': plain('grandchild'),
    })
    const bundle = await collectBundle(rootIn(folder, runs('child')), [])
    expect(bundle.members.map(({ id }) => id)).toEqual(['test/runs-child:1.0.0', 'test/child:1.0.0', 'test/grandchild:1.0.0'])
  })

  test('workflows of a bundle may run each other', async () => {
    await using folder = await createFolder()
    const root = rootIn(folder, runs('runs-self').replace('runs-runs-self', 'runs-self'))
    expect((await collectBundle(root, [])).members).toEqual([root])
  })

  test('a reference selects the given version, and the highest for latest', async () => {
    const versions = ['1.2.0', '1.10.0', '1.10.0-rc.1'].map((version) => load(`${version}.yaml`, plain('child', version)))
    const bundle = await collectBundle(load('root.yaml', runs('child')), versions)
    const reference = { namespace: 'test', name: 'child' }
    expect(bundle.find({ ...reference, version: 'latest' })?.id).toBe('test/child:1.10.0')
    expect(bundle.find({ ...reference, version: '1.2.0' })?.id).toBe('test/child:1.2.0')
    expect(bundle.find({ ...reference, version: '9.9.9' })).toBeUndefined()
    expect(bundle.find({ ...reference, namespace: 'other', version: 'latest' })).toBeUndefined()
  })

  test('a missing child is reported with its reference and the searched folder', async () => {
    await using folder = await createFolder({ 'unrelated.yaml': plain('unrelated') })
    const missing = collectBundle(rootIn(folder, runs('child')), [])
    await expect(missing).rejects.toThrow(
      `${folder.file('root.yaml')}:3:5: the workflow test/child:latest that this task runs was not found.`,
    )
    await expect(missing).rejects.toMatchObject({ hint: `Looked in ${folder.path}. Name its file with --with FILE.` })
  })

  test('a child with errors is reported with its file', async () => {
    await using folder = await createFolder({ 'child.yaml': plain('child').replace('set:', 'sett:') })
    await expect(collectBundle(rootIn(folder, runs('child')), [])).rejects.toMatchObject({
      hint: expect.stringContaining('child.yaml names it but has errors'),
    })
  })

  test('a missing version is reported with the existing ones', async () => {
    await using folder = await createFolder({ 'child.yaml': plain('child', '2.0.0') })
    await expect(collectBundle(rootIn(folder, runs('child', '1.0.0')), [])).rejects.toMatchObject({
      hint: `There is test/child:2.0.0 in ${folder.file('child.yaml')}.`,
    })
  })

  test('files that are too large for a definition are skipped', async () => {
    await using folder = await createFolder({ 'child.yaml': `${plain('child')}# ${'x'.repeat(1_000_000)}\n` })
    await expect(collectBundle(rootIn(folder, runs('child')), [])).rejects.toThrow('was not found')
  })
})

describe('the tasks of a workflow', () => {
  const everything = load(
    'all.yaml',
    definition(`
- one:
    do:
      - two:
          for: { each: n, in: '\${ [1] }' }
          do:
            - three: { run: { workflow: { namespace: n, name: a, version: latest } } }
- four:
    fork:
      branches:
        - five: { run: { workflow: { namespace: n, name: b, version: latest } } }
- six:
    try:
      - seven: { run: { workflow: { namespace: n, name: c, version: latest } } }
    catch:
      do:
        - eight: { run: { workflow: { namespace: n, name: d, version: latest } } }
- nine:
    listen:
      to: { any: [{ with: { type: a } }], until: { one: { with: { type: b } } } }
    foreach:
      do:
        - ten: { wait: PT1S }
- eleven: { call: twice }
- twelve: { wait: PT1S }
`).replace(
      'do:',
      `use:
  functions:
    twice: { run: { workflow: { namespace: n, name: e, version: latest } } }
  extensions:
    - log:
        extend: wait
        before:
          - logBefore: { run: { workflow: { namespace: n, name: f, version: latest } } }
        after:
          - logAfter:
              do:
                - logInner: { call: approve, with: { title: Continue, approvers: [ada@example.com] } }
do:`,
    ),
  )

  test('all tasks of a workflow are found, each before those inside it', () => {
    expect(tasksIn(everything.workflow).map(({ name }) => name)).toEqual([
      'one',
      'two',
      'three',
      'four',
      'five',
      'six',
      'seven',
      'eight',
      'nine',
      'logBefore',
      'ten',
      'logAfter',
      'logInner',
      'eleven',
      'twice',
      'twelve',
    ])
  })

  test('tasks that run workflows are found with their references', () => {
    const references = childReferences(everything.workflow)
    expect(references.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'f', 'e'])
    expect(references[3]).toEqual({ namespace: 'n', name: 'd', version: 'latest', reference: '/do/2/six/catch/do/0/eight' })
  })
})
