/** A part of the repository, the parts that it may import, and the npm packages that it may use. docs/ARCHITECTURE.md describes the parts. */
export interface Layer {
  readonly name: string
  readonly files: RegExp
  /** Names of layers; every layer may import itself. */
  readonly mayImport: readonly string[]
  /** The npm packages that it may import; if absent, all that are not reserved for other places. */
  readonly packages?: RegExp
}

const engineParts = [
  'engine',
  'engine/core',
  'engine/schema',
  'engine/compile',
  'engine/threads',
  'engine/events',
  'engine/durable',
  'engine/computing',
  'engine/effects',
  'engine/postgres',
]
const anything = ['jq', 'dsl', 'contract', 'client', ...engineParts, 'server', 'config', 'compose', 'platform', 'catalog', 'modules']

/** The first layer whose pattern matches a file is its layer. */
export const layers: readonly Layer[] = [
  { name: 'jq', files: /^packages\/jq\//, mayImport: [], packages: /^re2js$/ },
  { name: 'contract', files: /^packages\/contract\//, mayImport: [], packages: /^(?:canonicalize|zod)$/ },
  // Compares words, and knows nothing of the language.
  { name: 'dsl/suggest', files: /^packages\/dsl\/src\/diagnostics\/suggest\.ts$/, mayImport: [], packages: /^(?!)/ },
  { name: 'dsl', files: /^packages\/dsl\//, mayImport: ['jq', 'dsl/suggest'], packages: /^yaml$/ },
  { name: 'client', files: /^packages\/client\//, mayImport: ['contract'], packages: /^(?!)/ },
  { name: 'engine/core', files: /^packages\/engine\/src\/core\//, mayImport: [], packages: /^(?!)/ },
  { name: 'engine/schema', files: /^packages\/engine\/src\/schema\//, mayImport: ['engine/core'], packages: /^re2js$/ },
  {
    name: 'engine/compile',
    files: /^packages\/engine\/src\/compile\//,
    mayImport: ['engine/core', 'engine/schema', 'dsl', 'jq'],
    packages: /^re2js$/,
  },
  { name: 'engine/threads', files: /^packages\/engine\/src\/threads\//, mayImport: ['engine/core'] },
  { name: 'engine/events', files: /^packages\/engine\/src\/events\//, mayImport: ['engine/core', 'engine/compile'] },
  // The ports of `durable` have the types of `computing`, which implements one of them.
  {
    name: 'engine/durable',
    files: /^packages\/engine\/src\/durable\//,
    mayImport: ['engine/core', 'engine/events', 'engine/threads', 'engine/computing'],
  },
  // A computing thread analyses definitions and OpenAPI documents; effects hand such work to it.
  {
    name: 'engine/computing',
    files: /^packages\/engine\/src\/computing\//,
    mayImport: ['engine/core', 'engine/compile', 'engine/threads', 'engine/durable', 'engine/effects', 'dsl', 'jq'],
  },
  {
    name: 'engine/effects',
    files: /^packages\/engine\/src\/effects\//,
    mayImport: ['engine/core', 'engine/compile', 'engine/threads', 'engine/durable', 'engine/computing', 'dsl', 'jq'],
  },
  {
    name: 'engine/postgres',
    files: /^packages\/engine\/src\/postgres\//,
    mayImport: ['engine/core', 'engine/events', 'engine/durable'],
  },
  { name: 'engine', files: /^packages\/engine\//, mayImport: [...engineParts, 'dsl', 'jq'] },
  { name: 'config', files: /^packages\/server\/src\/config\//, mayImport: ['platform', 'dsl', 'contract'] },
  { name: 'platform', files: /^packages\/server\/(?:src\/platform|migrations)\//, mayImport: ['contract', 'dsl/suggest'] },
  { name: 'catalog', files: /^packages\/server\/src\/catalog\//, mayImport: ['platform', 'contract', 'engine', 'dsl', 'jq'] },
  { name: 'modules', files: /^packages\/server\/src\/modules\//, mayImport: ['platform', 'contract', 'engine', 'dsl', 'jq'] },
  { name: 'compose', files: /^packages\/server\/src\/compose\//, mayImport: anything },
  { name: 'server', files: /^packages\/server\//, mayImport: anything },
  { name: 'cli', files: /^packages\/cli\//, mayImport: anything },
  // The interface runs in browsers; its build reads the contract.
  { name: 'web', files: /^packages\/web\//, mayImport: ['client', 'contract', 'dsl', 'jq', 'engine'] },
  { name: 'tools', files: /^tools\//, mayImport: ['web'] },
  { name: 'bench', files: /^bench\//, mayImport: [...anything, 'cli'] },
]

/** npm packages that only certain places may import. */
export const reserved: readonly { readonly package: RegExp; readonly places: RegExp }[] = [
  { package: /^pg$/, places: /^packages\/(?:engine\/src\/postgres|server\/src\/(?:platform\/(?:db|sql)|compose)|cli\/src)\// },
  { package: /^pg-boss$/, places: /^packages\/(?:engine\/src\/postgres|server\/src\/(?:platform|compose))\// },
  { package: /^kysely$/, places: /^packages\/(?:engine\/src\/postgres|server\/(?:migrations|src\/(?:platform|compose|modules)))\// },
  { package: /^fastify$/, places: /^packages\/server\/src\/(?:platform|compose)\/|^packages\/server\/src\/\w+\.ts$/ },
  { package: /^nodemailer$/, places: /^packages\/server\/src\/platform\/mail\// },
]
