/** The texts in Malay. */
import type { Translation } from './en.ts';

export const ms = {
  'rule.address-recommended':
    'Pembekal atau pembeli sepatutnya mempunyai alamat dengan jalan, bandar, negeri, poskod dan negara.',
  'rule.amount-not-decimal': 'Amaun mestilah nombor perpuluhan, contohnya 1436.50.',
  'rule.contact-recommended': 'Pembekal atau pembeli sepatutnya mempunyai nombor telefon.',
  'rule.country-code': 'Negara sepatutnya kod tiga huruf besar (ISO 3166-1), contohnya MYS.',
  'rule.credit-note-negative':
    'Amaun nota kredit adalah negatif: tulis dengan tanda tolak. Sistem tidak mengubah tanda itu.',
  'rule.credit-note-totals-negative':
    'Amaun dalam jumlah nota kredit adalah negatif. Abaikan amaran ini jika nilai itu bukan amaun.',
  'rule.debit-note-positive':
    'Amaun nota debit adalah positif: tulis tanpa tanda tolak. Sistem tidak mengubah tanda itu.',
  'rule.debit-note-totals-positive':
    'Amaun dalam jumlah nota debit adalah positif. Abaikan amaran ini jika nilai itu bukan amaun.',
  'rule.doc-number-empty': 'Dokumen sepatutnya mempunyai nombor dokumen.',
  'rule.doc-type-unknown': 'Jenis dokumen ini tiada dalam senarai.',
  'rule.extra-names-known-member': 'Nilai tambahan dihantar dan bukannya satu medan borang.',
  'rule.lines-empty': 'Dokumen sepatutnya mempunyai sekurang-kurangnya satu baris.',
  'rule.mixed-signs': 'Dokumen ini mempunyai amaun positif dan amaun negatif. Semak sama ada ini betul.',
  'rule.more-problems': 'Terdapat lebih daripada 200 masalah. Yang lain tidak disenaraikan.',
  'rule.not-sent-original-missing':
    'Dokumen asal bagi nota ini ada dalam senarai yang sama dan tidak diimport, jadi nota ini tidak dihantar. Import nota ini sahaja jika perkhidmatan sudah mempunyai dokumen asalnya.',
  'rule.postcode': 'Poskod sepatutnya mempunyai lima digit.',
  'rule.reference-required':
    'Nota kredit, nota debit atau nota bayaran balik mesti menyatakan nombor dokumen asalnya.',
  'rule.refund-note-negative':
    'Amaun nota bayaran balik adalah negatif apabila mengurangkan dokumen asal dan mengesahkan wang yang dipulangkan.',
  'rule.refused-by-service': 'Perkhidmatan menolak data ini.',
  'rule.reported-by-service': 'Perkhidmatan tidak melakukan semua yang diminta.',
  'rule.self-billed-sign':
    'Amaun nota bil sendiri sepatutnya mempunyai tanda yang sama seperti nota yang bukan bil sendiri.',
  'rule.state-code': 'Negeri sepatutnya kod dua digit, 01 hingga 17.',
  'rule.tax-at-lines-only': 'Cukai dinyatakan pada baris, bukan pada seluruh dokumen.',
  'rule.tax-type-one':
    'Cukai mesti mempunyai tepat satu jenis: satu daripada senarai, atau jenis lain yang anda tulis.',
  'rule.tax-type-sst': 'Jenis cukai SST tidak jelas. Pilih cukai jualan atau cukai perkhidmatan.',
  'rule.tax-type-unknown': 'Jenis cukai ini tiada dalam senarai. Tulis sebagai jenis lain.',
  'rule.telephone': 'Nombor telefon sepatutnya mempunyai 8 hingga 20 digit; boleh bermula dengan +.',
  'rule.value-required': 'Nilai diperlukan di sini.',
  'rule.xml-children':
    'EInvoice mesti mengandungi Header, EInvoiceData, SellerAuthentication, TaxSupervisionInfo dan TaxBureauSignature, sekali setiap satu dan mengikut urutan ini.',
  'rule.xml-doctype': 'XML tidak boleh mempunyai DOCTYPE.',
  'rule.xml-empty': 'XML tidak boleh kosong.',
  'rule.xml-encoding': 'XML mesti dikodkan dalam UTF-8.',
  'rule.xml-further-child': 'EInvoice sepatutnya tidak mengandungi elemen lain selain lima elemennya.',
  'rule.xml-malformed': 'XML mesti mempunyai bentuk yang betul.',
  'rule.xml-not-checked':
    'XML menyatakan pengekodan selain UTF-8: fail dihantar tanpa semakan kandungan, teks dihantar sebagai UTF-8.',
  'rule.xml-root': 'Elemen akar XML mestilah EInvoice.',
  'rule.xml-too-deep': 'Elemen XML boleh mempunyai paling banyak 64 aras.',

  'problem.address-incomplete': '{party}: alamat tidak lengkap. Tiada: {fields}.',
  'problem.cells-without-column':
    'Sel tanpa lajur, kerana pengepala terlalu pendek atau mengulang nama: {cells}, yang pertama dalam baris {row}. Hanya teks eksport mempunyainya.',
  'problem.extra-replaces': 'Nilai tambahan dihantar dan bukannya medan “{field}”.',
  'problem.fewer-rows': 'Baris eksport ({rows}) kurang daripada dokumen ({documents}).',
  'problem.more-like-these': 'Masalah lain seperti ini: {count}.',
  'problem.original-missing': 'Bagi {note}, nombor dokumen {original} asal mesti dinyatakan.',
  'problem.xml-position': '{problem} Lihat baris {line}, lajur {column}.',

  'expected.country-code': 'ISO 3166-1 alpha-3, contohnya MYS',
  'expected.decimal': 'contohnya 1436.50',
  'expected.one-sign': 'amaun dengan satu tanda',
  'expected.one-type': 'satu jenis',
  'expected.postcode': 'lima digit',
  'expected.state-code': '01 hingga 17, dua digit',
  'expected.telephone': '8 hingga 20 digit; boleh bermula dengan +',
  'expected.zero-or-less': '0 atau kurang',
  'expected.zero-or-more': '0 atau lebih',

  'document.credit_note': 'nota kredit',
  'document.debit_note': 'nota debit',
  'document.invoice': 'invois',
  'document.refund_note': 'nota bayaran balik',
  'document.self_billed_credit_note': 'nota kredit bil sendiri',
  'document.self_billed_debit_note': 'nota debit bil sendiri',
  'document.self_billed_invoice': 'invois bil sendiri',
  'document.self_billed_refund_note': 'nota bayaran balik bil sendiri',

  'field.address': 'Alamat',
  'field.amount': 'Amaun cukai',
  'field.amountExclTax': 'Amaun tanpa cukai',
  'field.buyer': 'Pembeli',
  'field.city': 'Bandar',
  'field.contact': 'Hubungan',
  'field.country': 'Negara',
  'field.docNumber': 'Nombor dokumen',
  'field.docType': 'Jenis dokumen',
  'field.line1': 'Jalan',
  'field.lines': 'Baris',
  'field.originalInvoiceCodeNumber': 'Nombor dokumen asal',
  'field.otherType': 'Jenis cukai lain',
  'field.postcode': 'Poskod',
  'field.reference': 'Rujukan',
  'field.stateCode': 'Negeri',
  'field.supplier': 'Pembekal',
  'field.taxes': 'Cukai',
  'field.telephone': 'Telefon',
  'field.totals': 'Jumlah',
  'field.type': 'Jenis cukai',
} as const satisfies Translation;
