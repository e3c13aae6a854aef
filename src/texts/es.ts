/** The texts in Spanish. */
import type { Translation } from './en.ts';

export const es = {
  'rule.address-recommended':
    'Un proveedor o comprador debería tener una dirección con calle, ciudad, estado, código postal y país.',
  'rule.amount-not-decimal': 'Un importe debe ser un número decimal, por ejemplo 1436.50.',
  'rule.contact-recommended': 'Un proveedor o comprador debería tener un número de teléfono.',
  'rule.country-code':
    'El país debería ser un código de tres letras mayúsculas (ISO 3166-1), por ejemplo MYS.',
  'rule.credit-note-negative':
    'Los importes de una nota de crédito son negativos: escríbalos con el signo menos. El sistema no cambia el signo.',
  'rule.credit-note-totals-negative':
    'Los importes en los totales de una nota de crédito son negativos. Ignore este aviso si el valor no es un importe.',
  'rule.debit-note-positive':
    'Los importes de una nota de débito son positivos: escríbalos sin el signo menos. El sistema no cambia el signo.',
  'rule.debit-note-totals-positive':
    'Los importes en los totales de una nota de débito son positivos. Ignore este aviso si el valor no es un importe.',
  'rule.doc-number-empty': 'Un documento debería tener un número de documento.',
  'rule.doc-type-unknown': 'Este tipo de documento no está en la lista.',
  'rule.extra-names-known-member': 'Se envía un valor adicional en lugar de un campo del formulario.',
  'rule.lines-empty': 'Un documento debería tener al menos una línea.',
  'rule.mixed-signs': 'El documento tiene importes positivos y negativos. Compruebe que es lo que quiere.',
  'rule.more-problems': 'Hay más de 200 problemas. Los demás no se muestran.',
  'rule.not-sent-original-missing':
    'El original de esta nota está en la misma lista y no se importó; por eso la nota no se envió. Importe la nota sola si el servicio ya tiene su original.',
  'rule.postcode': 'El código postal debería tener cinco cifras.',
  'rule.reference-required':
    'Una nota de crédito, de débito o de reembolso debe indicar el número de documento de su original.',
  'rule.refund-note-negative':
    'Los importes de una nota de reembolso son negativos cuando reducen el original y confirman que se devolvió dinero.',
  'rule.refused-by-service': 'El servicio rechazó los datos.',
  'rule.reported-by-service': 'El servicio no hizo todo lo que se pidió.',
  'rule.self-billed-sign':
    'Los importes de una nota autofacturada deberían tener el mismo signo que los de una nota que no es autofacturada.',
  'rule.state-code': 'El estado debería ser un código de dos cifras, de 01 a 17.',
  'rule.tax-at-lines-only': 'Los impuestos van en las líneas, no en el documento completo.',
  'rule.tax-type-one':
    'Un impuesto debe tener exactamente un tipo: uno de la lista, u otro que usted escribe.',
  'rule.tax-type-sst':
    'El tipo de impuesto SST no es claro. Elija el impuesto sobre ventas o el impuesto sobre servicios.',
  'rule.tax-type-unknown': 'Este tipo de impuesto no está en la lista. Escríbalo como otro tipo.',
  'rule.telephone': 'El número de teléfono debería tener de 8 a 20 cifras; puede empezar con +.',
  'rule.value-required': 'Aquí hace falta un valor.',
  'rule.xml-children':
    'EInvoice debe contener Header, EInvoiceData, SellerAuthentication, TaxSupervisionInfo y TaxBureauSignature, una vez cada uno y en este orden.',
  'rule.xml-doctype': 'El XML no debe tener un DOCTYPE.',
  'rule.xml-empty': 'El XML no debe estar vacío.',
  'rule.xml-encoding': 'El XML debe estar codificado en UTF-8.',
  'rule.xml-further-child': 'EInvoice no debería contener más elementos que sus cinco hijos.',
  'rule.xml-malformed': 'El XML debe estar bien formado.',
  'rule.xml-not-checked':
    'El XML indica una codificación distinta de UTF-8: un archivo se envía sin comprobar su contenido, un texto se envía como UTF-8.',
  'rule.xml-root': 'El elemento raíz del XML debe ser EInvoice.',
  'rule.xml-too-deep': 'Los elementos del XML pueden tener como máximo 64 niveles.',

  'problem.address-incomplete': '{party}: la dirección no está completa. Falta: {fields}.',
  'problem.cells-without-column':
    'Celdas sin columna, porque el encabezado es demasiado corto o repite un nombre: {cells}, la primera en la fila {row}. Solo están en el texto exportado.',
  'problem.extra-replaces': 'Se envía un valor adicional en lugar del campo «{field}».',
  'problem.fewer-rows': 'La exportación tiene menos filas ({rows}) que documentos ({documents}).',
  'problem.more-like-these': 'Otros problemas como estos: {count}.',
  'problem.original-missing': 'Una {note} debe indicar el número de documento de la {original} original.',
  'problem.xml-position': '{problem} Vea la línea {line}, columna {column}.',

  'expected.country-code': 'ISO 3166-1 alfa-3, por ejemplo MYS',
  'expected.decimal': 'por ejemplo 1436.50',
  'expected.one-sign': 'importes de un solo signo',
  'expected.one-type': 'un tipo',
  'expected.postcode': 'cinco cifras',
  'expected.state-code': 'de 01 a 17, dos cifras',
  'expected.telephone': 'de 8 a 20 cifras; puede empezar con +',
  'expected.zero-or-less': '0 o menos',
  'expected.zero-or-more': '0 o más',

  'document.credit_note': 'nota de crédito',
  'document.debit_note': 'nota de débito',
  'document.invoice': 'factura',
  'document.refund_note': 'nota de reembolso',
  'document.self_billed_credit_note': 'nota de crédito autofacturada',
  'document.self_billed_debit_note': 'nota de débito autofacturada',
  'document.self_billed_invoice': 'factura autofacturada',
  'document.self_billed_refund_note': 'nota de reembolso autofacturada',

  'field.address': 'Dirección',
  'field.amount': 'Importe del impuesto',
  'field.amountExclTax': 'Importe sin impuestos',
  'field.buyer': 'Comprador',
  'field.city': 'Ciudad',
  'field.contact': 'Contacto',
  'field.country': 'País',
  'field.docNumber': 'Número de documento',
  'field.docType': 'Tipo de documento',
  'field.line1': 'Calle',
  'field.lines': 'Líneas',
  'field.originalInvoiceCodeNumber': 'Número del original',
  'field.otherType': 'Otro tipo de impuesto',
  'field.postcode': 'Código postal',
  'field.reference': 'Referencia',
  'field.stateCode': 'Estado',
  'field.supplier': 'Proveedor',
  'field.taxes': 'Impuestos',
  'field.telephone': 'Teléfono',
  'field.totals': 'Totales',
  'field.type': 'Tipo de impuesto',
} as const satisfies Translation;
