import { categoryOf, fileView } from '#modules/erasures/views.ts'
import { formFilesCategory, type FoundPerson } from './find-person.ts'

const filesMax = 100

/** What an erasure would touch, in numbers. */
export function previewView({ categories, formFiles }: FoundPerson) {
  return {
    records: categories.map(({ table, total, action }) => ({ category: categoryOf(table), records: total, action })),
    files: formFiles.slice(0, filesMax).map(fileView),
    moreFiles: Math.max(0, formFiles.length - filesMax),
  }
}

/** The same, record by record. */
export function foundView({ categories, formFiles }: FoundPerson, limit: number) {
  const all = formFiles.length === 0 ? categories : [...categories, formFilesCategory(formFiles, limit)]
  return {
    categories: all.map(({ table, action, reason, total, records }) => ({
      category: categoryOf(table),
      action,
      reason: reason ?? null,
      total,
      records: records.map(({ fields, ...record }) => ({ ...record, fields: [...fields] })),
      more: total - records.length,
    })),
  }
}
