import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseDefinition, validateDefinition } from '@millrace/dsl'
import { compileWorkflow } from '@millrace/engine'
import { expect, test } from 'vitest'
import { builtInFunctions } from '#catalog/built-in-functions.ts'
import { createTemplates } from './catalogue.ts'

const templates = await createTemplates(builtInFunctions).list()

test('there are templates, each found by its id', async () => {
  expect(templates.length).toBeGreaterThanOrEqual(8)
  const catalogue = createTemplates(builtInFunctions)
  for (const template of templates) expect(await catalogue.find(template.id)).toEqual(template)
  expect(await catalogue.find('nothing')).toBeUndefined()
})

test.each(templates.map((template) => [template.id, template] as const))(
  'the template %s validates without a warning, compiles, and has a description',
  (id, { title, description, translations, tags, source }) => {
    const { definition, diagnostics } = validateDefinition(parseDefinition(source), { functions: builtInFunctions() })
    expect(diagnostics).toEqual([])
    if (definition === undefined) throw new Error('it has no definition')
    compileWorkflow(definition, { functions: builtInFunctions() })
    expect(definition.document).toMatchObject({ namespace: 'templates', name: id, title, summary: description })
    expect(Math.min(title.length, description.length, tags.length)).toBeGreaterThan(0)
    expect(definition.input?.schema).toBeDefined()
    expect(Object.keys(translations)).toEqual(['ar'])
  },
)

test('the documentation has the drawing of every template', async () => {
  const parts = templates.map(({ id, title, drawing }) => `## ${title}\n\n\`${id}\`\n\n\`\`\`text\n${drawing.trimEnd()}\n\`\`\`\n`)
  const page = `# Drawings of the templates\n\nThe flow of every [template](templates.md), drawn from its definition.\n\n${parts.join('\n')}`
  await expect(page).toMatchFileSnapshot(fileURLToPath(new URL('../../../../../docs/template-drawings.md', import.meta.url)))
})

test('templates that could not be read are read again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-templates-'))
  try {
    const catalogue = createTemplates(builtInFunctions, directory)
    await mkdir(join(directory, 'late.yaml'))
    await expect(catalogue.list()).rejects.toThrow('EISDIR')
    await rm(join(directory, 'late.yaml'), { recursive: true })
    expect(await catalogue.list()).toEqual([])
  } finally {
    await rm(directory, { recursive: true })
  }
})

test.each([
  ['broken.yaml', 'do: 1', /template broken is not valid: line 1/],
  [
    'other.yaml',
    "document: { dsl: '1.0.3', namespace: a, name: b, version: 1.0.0, title: T, summary: S }\ndo: [{ a: { set: { a: 1 } } }]",
    /must have that name/,
  ],
  [
    'bare.yaml',
    "document: { dsl: '1.0.3', namespace: a, name: bare, version: 1.0.0 }\ndo: [{ a: { set: { a: 1 } } }]",
    /a title and a summary/,
  ],
])('a file that cannot be a template is refused: %s', async (file, text, message) => {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-templates-'))
  try {
    await writeFile(join(directory, file), text)
    await expect(createTemplates(builtInFunctions, directory).list()).rejects.toThrow(message)
  } finally {
    await rm(directory, { recursive: true })
  }
})
