import { TranslatableString } from '@rjsf/utils'

/** Words of the form's library; where a language has none, its own English stands. `%1` is put in by the library. */
type LibraryWords = Readonly<Partial<Record<TranslatableString, string>>>

/** What differs from the English of the library. */
export const LIBRARY_EN: LibraryWords = {
  [TranslatableString.KeyLabel]: 'Name of %1',
  [TranslatableString.NewStringDefault]: '',
  [TranslatableString.UnsupportedField]: 'No form can be made of this part of the schema.',
  [TranslatableString.UnsupportedFieldWithId]: 'No form can be made of this part of the schema: `%1`.',
  [TranslatableString.UnsupportedFieldWithReason]: 'No form can be made of this part of the schema: _%1_.',
  [TranslatableString.UnsupportedFieldWithIdAndReason]: 'No form can be made of this part of the schema: `%1`, _%2_.',
}

/** All of it in Korean. */
export const LIBRARY_KO: Readonly<Record<TranslatableString, string>> = {
  [TranslatableString.ArrayItemTitle]: '항목',
  [TranslatableString.MissingItems]: '항목의 정의가 없음',
  [TranslatableString.EmptyArray]: '아직 항목이 없습니다.',
  [TranslatableString.YesLabel]: '예',
  [TranslatableString.NoLabel]: '아니요',
  [TranslatableString.CloseLabel]: '닫기',
  [TranslatableString.ErrorsLabel]: '오류',
  [TranslatableString.NewStringDefault]: '',
  [TranslatableString.AddButton]: '추가',
  [TranslatableString.AddItemButton]: '항목 추가',
  [TranslatableString.CopyButton]: '복사',
  [TranslatableString.ExpandButton]: '펼치기',
  [TranslatableString.MoveDownButton]: '아래로',
  [TranslatableString.MoveUpButton]: '위로',
  [TranslatableString.RemoveButton]: '삭제',
  [TranslatableString.NowLabel]: '지금',
  [TranslatableString.ClearLabel]: '지우기',
  [TranslatableString.AriaDateLabel]: '날짜 선택',
  [TranslatableString.PreviewLabel]: '미리 보기',
  [TranslatableString.DecrementAriaLabel]: '1 줄이기',
  [TranslatableString.IncrementAriaLabel]: '1 늘리기',
  [TranslatableString.OptionalObjectAdd]: '선택 항목 입력',
  [TranslatableString.OptionalObjectRemove]: '선택 항목 삭제',
  [TranslatableString.OptionalObjectEmptyMsg]: '입력한 내용 없음',
  [TranslatableString.Type]: '종류',
  [TranslatableString.Value]: '값',
  [TranslatableString.ClearButton]: '입력 지우기',
  [TranslatableString.UnknownFieldType]: '알 수 없는 종류 %1',
  [TranslatableString.OptionPrefix]: '선택지 %1',
  [TranslatableString.TitleOptionPrefix]: '%1 선택지 %2',
  [TranslatableString.KeyLabel]: '%1의 이름',
  [TranslatableString.DeprecatedLabel]: '%1 (더 이상 쓰지 않음)',
  [TranslatableString.CycleDetected]: '“%1”은(는) 자기 자신을 다시 가리킵니다. 필요하면 더 펼칠 수 있습니다.',
  [TranslatableString.InvalidObjectField]: '“%1”의 설정이 잘못되었습니다: _%2_.',
  [TranslatableString.UnsupportedField]: '스키마의 이 부분은 양식으로 만들 수 없습니다.',
  [TranslatableString.UnsupportedFieldWithId]: '스키마의 이 부분은 양식으로 만들 수 없습니다: `%1`.',
  [TranslatableString.UnsupportedFieldWithReason]: '스키마의 이 부분은 양식으로 만들 수 없습니다: _%1_.',
  [TranslatableString.UnsupportedFieldWithIdAndReason]: '스키마의 이 부분은 양식으로 만들 수 없습니다: `%1`, _%2_.',
  [TranslatableString.FilesInfo]: '**%1** (%2, %3바이트)',
}
