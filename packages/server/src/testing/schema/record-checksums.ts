import type { Migration } from '#platform/db/migration-files.ts'

const header = `# The checksums of all migrations, kept by "npm run generate", which adds new ones. A database that has applied a migration refuses one that has changed.
`

/**
 * Adds the checksums of new migrations to those that are recorded.
 * @throws Error that names the migrations that have changed or are gone since they were recorded.
 */
export function recordChecksums(recorded: string, migrations: readonly Migration[]): string {
  const current = new Map(migrations.map(({ number, name, checksum }) => [`${String(number).padStart(4, '0')}_${name}`, checksum]))
  const changed = recorded.split('\n').flatMap((line) => {
    const [checksum, name = ''] = line.startsWith('#') || line === '' ? [] : line.split('  ')
    return checksum === undefined || current.get(name) === checksum ? [] : [name]
  })
  if (changed.length > 0)
    throw new Error(
      `Migrations that databases may have applied have changed: ${changed.join(', ')}. Restore them, and add a migration for the change.`,
    )
  return header + Array.from(current, ([name, checksum]) => `${checksum}  ${name}\n`).join('')
}
