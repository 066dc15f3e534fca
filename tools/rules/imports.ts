// Biome's format, which `npm run check` asks for, begins every import and re-export at the start of a line. What stands between the
// keyword and `from` is names, braces and commas alone, so that neither pattern can run on into other code.
const statements = /^(?:import|export)\s+(?:type\s+)?(?:[\w$*]|[{},\s])+?\sfrom\s+'(?<specifier>[^'\n]+)'/gm
const bare = /^import\s+'(?<specifier>[^'\n]+)'/gm
const dynamic = /\bimport\(\s*'(?<specifier>[^'\n]+)'\s*\)/g

/** The specifiers of all imports and re-exports of a formatted TypeScript source, those of types included. */
export function importsOf(text: string): readonly string[] {
  return [statements, bare, dynamic].flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match.groups?.['specifier'] ?? ''))
}
