import type { runInput as english } from '#src/messages/en/run-input.ts'

/** The input of a run, and forms that a JSON Schema describes. */
export const runInput: typeof english = {
  runInput: {
    tryDraft: 'جرّب هذه المسودة',
    tryIt: 'جرّبها',
    tryText: (version) =>
      `كل خطوة تُنفّذ فعلا كما هي مرسومة الآن. ${version === null ? '' : `ما يبدأ من تلقاء نفسه يظل يشغّل الإصدار ${version}. `}المتغيرات والأسرار هي الخاصة بالمسودات.`,
    bySchema: 'ما يأخذه مسار العمل وفق مخطط مُدخله.',
    noSchema: 'لا يحدد مسار العمل مدخلاته، ويأخذ أي JSON. أضف حقولًا تحت «المدخلات» بجانب المسار، فيصبح هذا نموذجًا يتحقق مما يُكتب.',
    anySchema: 'بصيغة JSON، ويتحقق منها مخطط مُدخل مسار العمل.',
    last: 'كما في آخر تشغيل من هذا الجهاز، من دون الأسرار.',
    useExample: 'استعمل المثال',
    useReads: 'املأ ما يقرؤه',
    empty: 'أفرغه',
    restore: 'استعد ما كان للتشغيل',
    maskedValue: 'بدأ هذا التشغيل بقناع مكان القيمة، وهي غير محفوظة هنا. اكتب القيمة: لا يُرسل قناع.',
    tooLarge: 'المُدخل أكبر من أن يُغيّر هنا. تبدأ الإعادة به كما هو.',
    asJson: 'بصيغة JSON',
    asForm: 'كنموذج',
    jsonHint: 'كائن، مثل ‎{ "name": "Ada" }‎.',
  },
  notGiven: {
    by: {
      input: 'يقرأ مسار العمل ما لا يعطيه هذا المُدخل:',
      start: 'يقرأ مسار العمل ما لا تعطيه هذه البداية:',
    },
    step: (name) => `الخطوة ${name}`,
    advice: {
      input: 'تأخذ الخطوة null مكانه.',
      start: 'أضفه إلى المُدخل أو إلى التحويل، أو أعطِ الخطوة قيمة بديلة، مثل ‎.name // "none"‎.',
    },
  },
  schemaForm: {
    choose: 'اختر',
    notGiven: 'غير مذكور',
    needed: 'هذا مطلوب.',
    number: 'هذا ليس رقمًا.',
    integer: 'يجب أن يكون عددًا صحيحًا.',
    least: (limit) => `يجب ألا يقل عن ${limit}.`,
    most: (limit) => `يجب ألا يزيد على ${limit}.`,
    longer: (length) => (length === 1 ? 'هذا مطلوب.' : `أقل عدد من الأحرف: ${length}.`),
    shorter: (length) => `أكبر عدد من الأحرف: ${length}.`,
    email: 'هذا ليس عنوان بريد مثل name@example.com.',
    year: (first, last) => `يجب أن تكون السنة بين ${first} و${last}.`,
    url: 'هذا ليس عنوان URL. يبدأ بـ ‎https://‎ أو بمخطط آخر.',
    pattern: 'ليس بالشكل المتوقع.',
    list: 'يجب أن تكون قائمة: ‎[ … ]‎.',
    object: 'يجب أن يكون كائنًا: ‎{ … }‎.',
  },
}
