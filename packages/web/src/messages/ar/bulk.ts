import type { bulk as english } from '#src/messages/en/bulk.ts'

const runs = (count: number) => (count === 1 ? 'تشغيل واحد' : count === 2 ? 'تشغيلان' : `${count} تشغيلات`)

export const bulk: typeof english = {
  bulk: {
    select: (id) => `اختر ${id}`,
    choose: 'اختر',
    selected: (count) => `المختار: ${count}`,
    all: 'كل ما يطابق',
    clear: 'ألغِ الاختيار',
    retry: 'أعد المحاولة',
    cancel: 'ألغِ',
    retryMany: 'أعد المحاولة…',
    cancelMany: 'ألغِ…',
    titles: { retry: 'إعادة عدة عمليات تشغيل', cancel: 'إلغاء عدة عمليات تشغيل' },
    counting: (count) => `جارٍ العد: ${runs(count)} حتى الآن`,
    will: {
      retry: (count, of) => `يمكن إعادة ${runs(count)} من ${of}: تعطلت أو أُلغيت.`,
      cancel: (count, of) => `يمكن إلغاء ${runs(count)} من ${of}: لم تنتهِ بعد.`,
    },
    more: (count) => `تؤخذ أول ${count} مطابقة؛ كرّر العملية للباقي.`,
    byWorkflow: 'حسب المسار',
    version: 'الإصدار',
    versionHint: 'في الحالتين تؤخذ الخطوات المكتملة كما هي.',
    original: 'إصدار كل تشغيل',
    latest: 'الأحدث',
    cannotUndo: 'التشغيل الملغى ينتهي، ويمكن إعادته لاحقًا.',
    act: { retry: (count) => `أعد ${runs(count)}`, cancel: (count) => `ألغِ ${runs(count)}` },
    progress: (done, of) => `${done} من ${of}`,
    stop: 'أوقف',
    done: { retry: (count) => `أُعيد ${runs(count)}`, cancel: (count) => `أُلغي ${runs(count)}` },
    refused: (count) => `رُفض ${runs(count)}:`,
    live: 'مباشر',
  },
}
