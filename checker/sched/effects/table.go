package effects

// Code generated from the standard library by package mendel/checker/instrument/effects. DO NOT EDIT.

const table = `archive/tar
	FileInfoHeader 0mGname 0mIsDir 0mModTime 0mMode 0mName 0mSize 0mSys 0mUname
	Reader.Next 0>0mRead 0>0mSeek 0>2mRead 0>2mphysicalRemaining 0w
	Reader.Read 0>2mRead 0w 1w
	Writer.Flush 0>0mWrite 0>2mlogicalRemaining 0w
	Writer.WriteHeader 0>0mWrite 0>2mWrite 0>2mlogicalRemaining 0R 0w 1r
	Writer.AddFS 0>0mWrite 0>2mWrite 0>2mlogicalRemaining 0R 0w 1mOpen 1mReadDir 1mReadLink 1mStat
	Writer.Write 0>2mWrite 0w 1r
	Writer.Close 0>0mWrite 0>2mlogicalRemaining 0w
	headerError.Error 0r
	headerFileInfo.Size 0r
	headerFileInfo.IsDir 0r
	headerFileInfo.ModTime 0r
	headerFileInfo.Name 0r
	headerFileInfo.Mode 0r
	headerFileInfo.String 0r
	regFileReader.Read 0>0mRead 0w 1w
	regFileReader.WriteTo 0>0mRead 0w 1mReadFrom 1mWrite
	regFileWriter.Write 0>0mWrite 0w 1r
	regFileWriter.ReadFrom 0>0mWrite 0w 1mRead 1mWriteTo
	sparseFileReader.Read 0>0mRead 0w 1w
	sparseFileReader.WriteTo 0>0mRead 0w 1mReadFrom 1mSeek 1mWrite
	sparseFileWriter.Write 0>0mWrite 0w 1r
	sparseFileWriter.ReadFrom 0>0mReadFrom 0>0mWrite 0w 1mRead 1mSeek 1mWriteTo
	zeroReader.Read 1w
	zeroWriter.Write 1r
archive/zip
	File.DataOffset 0>2mReadAt 0r2.3
	File.Open 0>2mReadAt 0r0.1.2.3
	File.OpenRaw 0>2mReadAt 0r0.2.3
	FileHeader.ModTime 0r8.9
	FileHeader.SetModTime 0w7.8.9
	FileHeader.Mode 0r0.3.16
	FileHeader.SetMode 0r3.16 0w3.16
	FileInfoHeader 0mModTime 0mMode 0mName 0mSize
	NewReader 0mReadAt
	OpenReader $files:l
	ReadCloser.Close 0>0r 0r0
	Reader.RegisterDecompressor 0>3w 0r3 0z3
	Reader.Open 0r6
	Writer.SetOffset 0>0w 0r
	Writer.Flush 0>0r 0r
	Writer.SetComment 0w
	Writer.Close 0>0mWrite 0>0mWriteString 0>0r 0>0w 0>2r 0>2w 0w
	Writer.Create 0>0mWrite 0>0mWriteString 0>0r 0>2r 0>2w 0>4r 0w
	Writer.CreateHeader 0>0mWrite 0>0mWriteString 0>0r 0>2r 0>2w 0>4r 0w 1r0.1.2.3.5.6.7.15 1w3.4.5.6.8.9.11.12.13.14.15
	Writer.CreateRaw 0>0mWrite 0>0mWriteString 0>0r 0>2r 0>2w 0w 1r0.13.14 1w11.12
	Writer.Copy 0>0mWrite 0>0mWriteString 0>0r 0>2r 0>2w 0w 1>2mReadAt 1r0.2.3
	Writer.RegisterCompressor 0>4w 0r4 0z4
	Writer.AddFS 0>0mWrite 0>0mWriteString 0>0r 0>2r 0>2w 0>4r 0w 1mOpen 1mReadDir 1mStat
	checksumReader.Stat 0r3
	checksumReader.Read 0>0mRead 0>1mSum32 0>1mWrite 0>4mRead 0w 1w
	checksumReader.Close 0>0mClose 0r0
	countWriter.Write 0>0mWrite 0w 1r
	dirReader.Read 0r
	fileListEntry.Name 0r
	fileListEntry.ModTime 0r
	fileListEntry.String 0r
	fileWriter.Write 0>1mWrite 0>2r 0>2w 0>5mWrite 0r 1r
	headerFileInfo.Name 0r
	headerFileInfo.Size 0r
	headerFileInfo.IsDir 0r
	headerFileInfo.ModTime 0r
	headerFileInfo.Mode 0r
	headerFileInfo.Type 0r
	headerFileInfo.String 0r
	openDir.Stat 0>0r 0r
	openDir.Read 0>0r 0r
	openDir.ReadDir 0>0r 0>1mName 0w
	pooledFlateReader.Read 0L 1w
	pooledFlateReader.Close 0>1mClose 0L
	pooledFlateWriter.Write 0L
	pooledFlateWriter.Close 0L
bufio
	Reader.Size 0r0
	Reader.Reset 0w 0w0
	Reader.Peek 0w 0Kfill
	Reader.Discard 0w 0Kfill
	Reader.Read 0w 0Kfill 1w
	Reader.ReadByte 0w 0Kfill
	Reader.UnreadByte 0w
	Reader.ReadRune 0w 0Kfill
	Reader.UnreadRune 0w
	Reader.Buffered 0r
	Reader.ReadSlice 0w 0Kfill
	Reader.ReadLine 0w 0Kfill
	Reader.ReadBytes 0w 0Kfill
	Reader.ReadString 0w 0Kfill
	Reader.WriteTo 0w 0Kfill 1mReadFrom 1mWrite
	ScanLines 0r
	ScanRunes 0r
	ScanWords 0r
	Scanner.Err 0r
	Scanner.Bytes 0r
	Scanner.Text 0r
	Scanner.Scan 0w 0Kfill
	Scanner.Buffer 0w
	Scanner.Split 0w
	Writer.Size 0r1
	Writer.Reset 0w
	Writer.Flush 0w 0Kflush
	Writer.Available 0r
	Writer.AvailableBuffer 0r
	Writer.Buffered 0r
	Writer.Write 0w 1r
	Writer.WriteByte 0w
	Writer.WriteRune 0w
	Writer.WriteString 0w
	Writer.ReadFrom 0w 1mRead
bytes
	Buffer.Bytes 0r
	Buffer.AvailableBuffer 0r
	Buffer.String 0r 0Kread
	Buffer.Peek 0r
	Buffer.Len 0r
	Buffer.Cap 0r
	Buffer.Available 0r
	Buffer.Truncate 0w
	Buffer.Reset 0w
	Buffer.Grow 0w
	Buffer.Write 0w 0Kadd 1r
	Buffer.WriteString 0w 0Kadd
	Buffer.ReadFrom 0w 0Kadd 1mRead
	Buffer.WriteTo 0w 0Kread 1mWrite
	Buffer.WriteByte 0w 0Kadd
	Buffer.WriteRune 0w 0Kadd
	Buffer.Read 0w 0Kread 1w
	Buffer.Next 0w
	Buffer.ReadByte 0w 0Kread
	Buffer.ReadRune 0w 0Kread
	Buffer.UnreadRune 0w
	Buffer.UnreadByte 0w
	Buffer.ReadBytes 0w 0Kread
	Buffer.ReadString 0w 0Kread
	Clone 0r
	Compare 0r 1r
	Contains 0r 1r
	ContainsAny 0r
	ContainsFunc 0r 1c
	ContainsRune 0r
	Count 0r 1r
	Cut 0r 1r
	CutPrefix 0r 1r
	CutSuffix 0r 1r
	Equal 0r 1r
	EqualFold 0r 1r
	Fields 0r
	FieldsFunc 0r 1c
	HasPrefix 0r 1r
	HasSuffix 0r 1r
	Index 0r 1r
	IndexAny 0r
	IndexByte 0r
	IndexFunc 0r 1c
	IndexRune 0r
	Join 0e 1r
	LastIndex 0r 1r
	LastIndexAny 0r
	LastIndexByte 0r
	LastIndexFunc 0r 1c
	Map 0c 1r
	Reader.Len 0r
	Reader.Size 0r0
	Reader.Read 0w 0Kread 1w
	Reader.ReadAt 0r0 0Kread 1w
	Reader.ReadByte 0w 0Kread
	Reader.UnreadByte 0w
	Reader.ReadRune 0w 0Kread
	Reader.UnreadRune 0w
	Reader.Seek 0w
	Reader.WriteTo 0w 0Kread 1mWrite
	Reader.Reset 0w 0w0
	Repeat 0r
	Replace 0r 1r 2r
	ReplaceAll 0r 1r 2r
	Runes 0r
	Split 0r 1r
	SplitAfter 0r 1r
	SplitAfterN 0r 1r
	SplitN 0r 1r
	Title 0r
	ToLower 0r
	ToLowerSpecial 0r 1r
	ToTitle 0r
	ToTitleSpecial 0r 1r
	ToUpper 0r
	ToUpperSpecial 0r 1r
	ToValidUTF8 0r 1r
	Trim 0r
	TrimFunc 0r 1c
	TrimLeft 0r
	TrimLeftFunc 0r 1c
	TrimPrefix 0r 1r
	TrimRight 0r
	TrimRightFunc 0r 1c
	TrimSpace 0r
	TrimSuffix 0r 1r
cmp
	Or 0r
compress/bzip2
	bitReader.ReadBits64 0>0mReadByte 0w
	bitReader.ReadBits 0>0mReadByte 0w
	bitReader.ReadBit 0>0mReadByte 0w
	bitReader.Err 0r
	huffmanTree.Decode 0r 1>0mReadByte 1w
	moveToFrontDecoder.Decode 0w
	moveToFrontDecoder.First 0r
	reader.Read 0>0mReadByte 0w 1w
compress/flate
	NewReaderDict 1r
	NewWriterDict 2r
	ReadError.Error 0>1mError 0r0.1
	WriteError.Error 0>1mError 0r0.1
	Writer.Write 0r
	Writer.Flush 0w
	Writer.Close 0w
	Writer.Reset 0w
	byFreq.Less 0r
	byFreq.Swap 0w
	byLiteral.Less 0r
	byLiteral.Swap 0w
	decompressor.Read 0w 1w
	decompressor.Close 0r14
	decompressor.Reset 0>1r 0>1w 0w 0w14 2r
	dictWriter.Write 0>0mWrite 0r 1r
compress/gzip
	NewReader 0mRead
	Reader.Reset 0>1mRead 0>1mReadByte 0>2mReset 0w
	Reader.Multistream 0w7
	Reader.Read 0>1mRead 0>1mReadByte 0>2mRead 0>2mReset 0r1.2.3.4.5.6.7 0w2.3.4.5.6 1w
	Reader.Close 0>2mClose 0r2
	Writer.Reset 0>6r 0>6w 0w
	Writer.Write 0>1mWrite 0>1mWriteString 0>6r 0r0.1.2.3.5.6.7.8.9 0w3.5.7.8.9 0z6 1r
	Writer.Flush 0>1mWrite 0>1mWriteString 0>6w 0r0.1.2.3.4.5.6.7.8.9 0w3.5.7.8.9 0z6
	Writer.Close 0>1mWrite 0>1mWriteString 0>6w 0r0.1.2.3.4.5.6.7.8.9 0w3.4.5.7.8.9 0z6
compress/lzw
	Reader.Read 0w 1w
	Reader.Close 0w
	Reader.Reset 0w
	Writer.Write 0w 1r
	Writer.Close 0>0mFlush 0>0mWriteByte 0w
	Writer.Reset 0w
compress/zlib
	NewReader 0mRead
	NewReaderDict 1r
	Writer.Reset 0>3r 0>3w 0>4mReset 0w
	Writer.Write 0>0mWrite 0>3r 0>4mWrite 0w 1r
	Writer.Flush 0>0mWrite 0>3w 0w
	Writer.Close 0>0mWrite 0>3w 0>4mSum32 0w
	reader.Read 0>0mRead 0>1mRead 0>2mSum32 0>2mWrite 0w 1w
	reader.Close 0>1mClose 0w
	reader.Reset 0>0mRead 0>1mReset 0w 2r
container/heap
	Fix 0mLen 0mLess 0mSwap
	Init 0mLen 0mLess 0mSwap
	Pop 0mLen 0mLess 0mPop 0mSwap
	Push 0mLen 0mLess 0mPush 0mSwap
	Remove 0mLen 0mLess 0mPop 0mSwap
container/list
	Element.Next 0r0.1.2 0>2r
	Element.Prev 0r0.1.2 0>2r
	List.Init 0w
	List.Len 0r
	List.Front 0r
	List.Back 0r
	List.Remove 0w 1r0.1.2.3 1w0.1.2
	List.PushFront 0w
	List.PushBack 0w
	List.InsertBefore 0w 2r1.2
	List.InsertAfter 0w 2r0.2
	List.MoveToFront 0w 1r2 1w0.1
	List.MoveToBack 0w 1r2 1w0.1
	List.MoveBefore 0w 1r2 1w0.1 2r2
	List.MoveAfter 0w 1r2 1w0.1 2r2
	List.PushBackList 0w 1r
	List.PushFrontList 0w 1r
container/ring
	Ring.Next 0r0 0z0.1
	Ring.Prev 0r0.1 0z0.1
	Ring.Move 0r0.1 0z0.1
	Ring.Link 0r0 0w0.1 1r0.1 1w0.1
	Ring.Unlink 0r0.1 0w0.1
	Ring.Len 0r0 0z0.1
	Ring.Do 0r0.2 0z0.1 1c
crypto
	SignMessage 0mSign 0mSignMessage 2r 3mHashFunc
crypto/aes
	NewCipher 0r
crypto/cipher
	NewCBCDecrypter 0mBlockSize 0mNewCBCDecrypter 1r
	NewCBCEncrypter 0mBlockSize 0mNewCBCEncrypter 1r
	NewCFBDecrypter 0mBlockSize 1r
	NewCFBEncrypter 0mBlockSize 1r
	NewCTR 0mBlockSize 0mNewCTR 1r
	NewGCM 0mBlockSize 0mNewGCM
	NewGCMWithNonceSize 0mBlockSize 0mNewGCM
	NewGCMWithTagSize 0mBlockSize 0mNewGCM
	NewOFB 0mBlockSize 1r
	StreamReader.Read 1w
	aesCtrWrapper.XORKeyStream 0>0w 1w 2r
	cbcDecrypter.BlockSize 0r1
	cbcDecrypter.CryptBlocks 0>0mDecrypt 0w 2r
	cbcDecrypter.SetIV 0r 1r
	cbcEncrypter.BlockSize 0r
	cbcEncrypter.CryptBlocks 0>0mEncrypt 0r 1r
	cbcEncrypter.SetIV 0r 1r
	cfb.XORKeyStream 0>0mEncrypt 0w 1r 2r
	ctr.XORKeyStream 0>0mBlockSize 0>0mEncrypt 0w
	gcmFallback.NonceSize 0r
	gcmFallback.Overhead 0r
	gcmFallback.Seal 0>0mEncrypt 0r 1w 2r
	gcmFallback.Open 0>0mEncrypt 0r 1w 2r 3r
	gcmWithRandomNonce.Seal 0r 1w 3r $files:L
	gcmWithRandomNonce.Open 0r 1w 3r
	ofb.XORKeyStream 0>0mBlockSize 0>0mEncrypt 0w
crypto/des
	NewCipher 0r
	NewTripleDESCipher 0r
	desCipher.Encrypt 0r 1w 2r
	desCipher.Decrypt 0r 1w 2r
	tripleDESCipher.Encrypt 0r 1w 2r
	tripleDESCipher.Decrypt 0r 1w 2r
crypto/dsa
	GenerateKey 0r0 0w0.1 1mRead
	GenerateParameters 0w0.1.2 1mRead
	Sign 0mRead 1>1r 1r0.1 2r
	Verify 0>1r 0r0.1 1r 2r 3r
crypto/ecdh
	PrivateKey.ECDH 0>0mecdh 0r 1r
	PrivateKey.Bytes 0r
	PrivateKey.Equal 0r 1r
	PrivateKey.Curve 0r
	PrivateKey.PublicKey 0r
	PrivateKey.Public 0r
	PublicKey.Bytes 0r
	PublicKey.Equal 0r 1r
	PublicKey.Curve 0r
	nistCurve.String 0r0
	nistCurve.GenerateKey 0w 1mRead
	nistCurve.NewPrivateKey 0r 1r
	nistCurve.NewPublicKey 0r0.3 1r
	x25519Curve.GenerateKey 1mRead
	x25519Curve.NewPrivateKey 1r
	x25519Curve.NewPublicKey 1r
crypto/ecdsa
	GenerateKey 0mParams 0mScalarBaseMult 1mRead $files:L
	ParseRawPrivateKey 0mParams 1r
	ParseUncompressedPublicKey 0mParams 1r
	PrivateKey.ECDH 0>0mParams 0>1r 0r0.1
	PrivateKey.Equal 0>1r 0r0.1 1r
	PrivateKey.Bytes 0>0mParams 0>1r 0r0.1
	PrivateKey.Sign 0>0mParams 0>0mScalarBaseMult 0>1r 0r0.1 1mRead 2r 3mHashFunc $files:L
	PublicKey.ECDH 0>0mParams 0>1r 0>2r 0r0.1.2
	PublicKey.Equal 0>1r 0>2r 0r0.1.2 1r
	PublicKey.Bytes 0>0mParams 0>1r 0>2r 0r0.1.2
	Sign 0mRead 1>0mParams 1>0mScalarBaseMult 1>1r 1r0.1 2r $files:L
	SignASN1 0mRead 1>0mParams 1>0mScalarBaseMult 1>1r 1r0.1 2r $files:L
	Verify 0>0mAdd 0>0mParams 0>0mScalarBaseMult 0>0mScalarMult 0>1r 0>2r 0r0.1.2 1r 2r 3r
	VerifyASN1 0>0mAdd 0>0mParams 0>0mScalarBaseMult 0>0mScalarMult 0>1r 0>2r 0r0.1.2 1r 2r
crypto/ed25519
	GenerateKey 0mRead
	NewKeyFromSeed 0r
	Options.HashFunc 0r0
	PrivateKey.Public 0r
	PrivateKey.Equal 0r 1r
	PrivateKey.Seed 0r
	PrivateKey.Sign 0r 2r 3mHashFunc
	PublicKey.Equal 0r 1r
	Sign 0r 1r
	Verify 0r 1r 2r
	VerifyWithOptions 0r 1r 2r 3r0.1
crypto/elliptic
	CurveParams.IsOnCurve 0>0r 0>2r 0r0.2 1r 2r
	CurveParams.Add 0>0r 0>2r 0r0.2 1r 2r 3r 4r
	CurveParams.Double 0>0r 0>2r 0r0.2 1r 2r
	CurveParams.ScalarMult 0>0r 0>2r 0r0.2 1r 2r 3r
	CurveParams.ScalarBaseMult 0>0r 0>2r 0>3r 0>4r 0r0.2.3.4 1r
	GenerateKey 0mParams 0mScalarBaseMult 1mRead
	Marshal 0mIsOnCurve 0mParams 1r 2r
	MarshalCompressed 0mIsOnCurve 0mParams 1r 2r
	Unmarshal 0mIsOnCurve 0mParams 0mUnmarshal 1r
	UnmarshalCompressed 0mIsOnCurve 0mParams 0mUnmarshalCompressed 1r
	nistCurve.Params 0r
	nistCurve.IsOnCurve 0r 1r 2r
	nistCurve.Add 0r 1r 2r 3r 4r
	nistCurve.Double 0r 1r 2r
	nistCurve.ScalarMult 0r 1r 2r 3r
	nistCurve.ScalarBaseMult 0r 1r
	nistCurve.Unmarshal 0r 1r
	nistCurve.UnmarshalCompressed 0r 1r
crypto/fips140
	WithoutEnforcement 0c
crypto/hkdf
	Expand 0c 1r
	Extract 0c 1r 2r
	Key 0c 1r 2r
crypto/hmac
	Equal 0r 1r
	New 0c 1r
crypto/hpke
	NewDHKEMPrivateKey 0mCurve
	NewDHKEMPublicKey 0r
	NewHybridPrivateKey 0mEncapsulator 1mCurve
	NewHybridPublicKey 1r
	NewMLKEMPrivateKey 0mEncapsulator
	NewRecipient 1mKEM 1mdecap 2mID 2mlabeledDerive 2mlabeledExpand 2mlabeledExtract 2moneStage 2msize 3mID 3maead 3mkeySize 3mnonceSize 4r
	NewSender 0mKEM 0mencap 1mID 1mlabeledDerive 1mlabeledExpand 1mlabeledExtract 1moneStage 1msize 2mID 2maead 2mkeySize 2mnonceSize 3r
	Open 0mKEM 0mdecap 1mID 1mlabeledDerive 1mlabeledExpand 1mlabeledExtract 1moneStage 1msize 2mID 2maead 2mkeySize 2mnonceSize 3r
	Recipient.Open 0>0r 0>0w 0r
	Recipient.Export 0>0r 0r
	Seal 0mKEM 0mencap 1mID 1mlabeledDerive 1mlabeledExpand 1mlabeledExtract 1moneStage 1msize 2mID 2maead 2mkeySize 2mnonceSize 3r
	Sender.Seal 0>0r 0>0w 0r
	Sender.Export 0>0r 0r
	aead.ID 0r
	dhKEM.ID 0r1
	dhKEM.NewPublicKey 0>2mNewPublicKey 0r2
	dhKEM.GenerateKey 0>2mGenerateKey 0r2
	dhKEM.NewPrivateKey 0>2mNewPrivateKey 0r2
	dhKEM.DeriveKeyPair 0>0mlabeledExpand 0>0mlabeledExtract 0>2mNewPrivateKey 0r0.1.2.4
	dhKEMPrivateKey.KEM 0r
	dhKEMPrivateKey.Bytes 0r
	dhKEMPrivateKey.PublicKey 0>1mPublicKey 0r
	dhKEMPublicKey.KEM 0r
	dhKEMPublicKey.Bytes 0>1r 0r
	hkdfKDF.ID 0r
	hybridKEM.ID 0r
	hybridKEM.NewPublicKey 0>2mNewPublicKey 0r
	hybridKEM.GenerateKey 0>2mNewPrivateKey 0r $files:L
	hybridKEM.NewPrivateKey 0>2mNewPrivateKey 0r 1r
	hybridKEM.DeriveKeyPair 0>2mNewPrivateKey 0r
	hybridPrivateKey.KEM 0r
	hybridPrivateKey.Bytes 0r
	hybridPrivateKey.PublicKey 0>2mPublicKey 0>3mEncapsulator 0r
	hybridPublicKey.KEM 0r
	hybridPublicKey.Bytes 0>1r 0>2mBytes 0r
	mlkemKEM.ID 0r
	mlkemKEM.NewPublicKey 0r
	mlkemKEM.GenerateKey 0r
	mlkemKEM.NewPrivateKey 0r
	mlkemKEM.DeriveKeyPair 0r
	mlkemPrivateKey.KEM 0r
	mlkemPrivateKey.Bytes 0>1mBytes 0r
	mlkemPrivateKey.PublicKey 0>1mEncapsulator 0r
	mlkemPublicKey.KEM 0r
	mlkemPublicKey.Bytes 0>1mBytes 0r
	shakeKDF.ID 0r
crypto/internal/fips140/aes
	Block.Encrypt 0r 1w 2r
	Block.Decrypt 0r 1w 2r
	CBCDecrypter.CryptBlocks 0w 1w 2r
	CBCDecrypter.SetIV 0w 1r
	CBCEncrypter.CryptBlocks 0w 1w
	CBCEncrypter.SetIV 0w 1r
	CTR.XORKeyStream 0w 1w 2r
	CTR.XORKeyStreamAt 0r 1w 2r
	EncryptBlockInternal 0r 1w 2r
	EncryptionKeySchedule 0r
	New 0r
	NewCBCDecrypter 0r
	NewCBCEncrypter 0r
	NewCTR 0r 1r
	RoundToBlock 0w
crypto/internal/fips140/hmac
	HMAC.Sum 0>2mReset 0>2mSum 0>2mUnmarshalBinary 0>2mWrite 0>3mSum 0r
	HMAC.Write 0>3mWrite 0r3 1r
	HMAC.Size 0>2mSize 0r2
	HMAC.BlockSize 0>3mBlockSize 0r3
	HMAC.Reset 0>2mMarshalBinary 0>2mReset 0>2mWrite 0>3mMarshalBinary 0>3mReset 0>3mUnmarshalBinary 0>3mWrite 0w
	HMAC.Clone 0>2mClone 0>3mClone 0r
	MarkAsUsedInKDF 0w
	New 0c 1r
crypto/internal/fips140/sha256
	Digest.MarshalBinary 0r
	Digest.AppendBinary 0r 1a
	Digest.UnmarshalBinary 0w 1r
	Digest.Clone 0r
	Digest.Reset 0w
	Digest.Size 0r4
	Digest.Write 0w 1r
	Digest.Sum 0r 1a
crypto/internal/fips140/sha3
	Digest.BlockSize 0r2
	Digest.Size 0r4
	Digest.Reset 0w
	Digest.Clone 0r
	Digest.Write 0w
	Digest.Sum 0r 1a
	Digest.MarshalBinary 0r
	Digest.AppendBinary 0r 1a
	Digest.UnmarshalBinary 0w 1r
	NewCShake128 0r 1r
	NewCShake256 0r 1r
	SHAKE.BlockSize 0r
	SHAKE.Size 0r
	SHAKE.Sum 0r 1a
	SHAKE.Write 0w
	SHAKE.Read 0w 1w
	SHAKE.Reset 0w
	SHAKE.Clone 0r
	SHAKE.MarshalBinary 0r
	SHAKE.AppendBinary 0r 1a
	SHAKE.UnmarshalBinary 0w 1r
crypto/internal/fips140/sha512
	Digest.Reset 0w
	Digest.MarshalBinary 0r
	Digest.AppendBinary 0r 1a
	Digest.UnmarshalBinary 0w 1r
	Digest.Clone 0r
	Digest.Size 0r4
	Digest.Write 0w 1r
	Digest.Sum 0r 1a
crypto/md5
	Sum 0r
	digest.Reset 0w
	digest.MarshalBinary 0r
	digest.AppendBinary 0r 1a
	digest.UnmarshalBinary 0w 1r
	digest.Clone 0r
	digest.Write 0w 1r
	digest.Sum 0r 1a
crypto/mlkem
	DecapsulationKey1024.Bytes 0>0r 0r
	DecapsulationKey1024.Decapsulate 0>0r 0r 1r
	DecapsulationKey1024.EncapsulationKey 0>0r 0r
	DecapsulationKey1024.Encapsulator 0>0r 0r
	DecapsulationKey768.Bytes 0>0r 0r
	DecapsulationKey768.Decapsulate 0>0r 0r 1r
	DecapsulationKey768.EncapsulationKey 0>0r 0r
	DecapsulationKey768.Encapsulator 0>0r 0r
	EncapsulationKey1024.Bytes 0>0r 0r
	EncapsulationKey1024.Encapsulate 0>0r 0r $files:L
	EncapsulationKey768.Bytes 0>0r 0r
	EncapsulationKey768.Encapsulate 0>0r 0r $files:L
	GenerateKey1024 $files:L
	GenerateKey768 $files:L
	NewDecapsulationKey1024 0r
	NewDecapsulationKey768 0r
	NewEncapsulationKey1024 0r
	NewEncapsulationKey768 0r
crypto/mlkem/mlkemtest
	Encapsulate1024 0>0r 0r 1r
	Encapsulate768 0>0r 0r 1r
crypto/pbkdf2
	Key 0c 2r
crypto/rand
	Int 0mRead 1r
	Prime 0mRead
	Read 0w $files:L
	Text $files:L
crypto/rc4
	Cipher.Reset 0w
	Cipher.XORKeyStream 0w 1w 2r
	NewCipher 0r
crypto/rsa
	DecryptOAEP 0mReset 0mSize 0mSum 0mWrite 2>1r 2>2r 2r0.1.2.3 3r 4r
	DecryptPKCS1v15 1>1r 1>2r 1r0.1.2.3 2r
	DecryptPKCS1v15SessionKey 1>1r 1>2r 1r0.1.2.3 2r 3w
	EncryptOAEP 0mReset 0mSize 0mSum 0mWrite 1mRead 2>0r 2r0.1 3r 4r $files:L
	EncryptOAEPWithOptions 0mRead 1>0r 1r0.1 2r 3>2r 3r0.1.2 $files:L
	EncryptPKCS1v15 0mRead 1>0r 1r0.1 2r
	GenerateKey 0mRead $files:L
	GenerateMultiPrimeKey 0mRead $files:L
	PSSOptions.HashFunc 0r1
	PrivateKey.Equal 0>1r 0>2r 0r0.1.2 1r
	PrivateKey.Sign 0>1r 0>2r 0r0.1.2.3 1mRead 2r 3mHashFunc $files:L
	PrivateKey.Decrypt 0>1r 0>2r 0r0.1.2.3 1mRead 2r 3r
	PrivateKey.Validate 0>1r 0>2r 0r0.1.2.3
	PrivateKey.Precompute 0>1r 0>2r 0r0.1.2.3 0w3
	PublicKey.Size 0>0r 0r0
	PublicKey.Equal 0>0r 0r0.1 1r
	SignPKCS1v15 1>1r 1>2r 1r0.1.2.3 3r
	SignPSS 0mRead 1>1r 1>2r 1r0.1.2.3 3r 4r0.1 $files:L
	VerifyPKCS1v15 0>0r 0r0.1 2r 3r
	VerifyPSS 0>0r 0r0.1 2r 3r 4r0
crypto/sha1
	Sum 0r
	digest.MarshalBinary 0r
	digest.AppendBinary 0r 1a
	digest.UnmarshalBinary 0w 1r
	digest.Clone 0r
	digest.Reset 0w
	digest.Write 0w 1r
	digest.Sum 0r 1a
	digest.ConstantTimeSum 0r 1a
crypto/sha256
	Sum224 0r
	Sum256 0r
crypto/sha3
	NewCSHAKE128 0r 1r
	NewCSHAKE256 0r 1r
	SHA3.Write 0w
	SHA3.Sum 0w 1a
	SHA3.Reset 0w
	SHA3.Size 0w
	SHA3.BlockSize 0w
	SHA3.MarshalBinary 0w
	SHA3.AppendBinary 0w 1a
	SHA3.UnmarshalBinary 0w 1r
	SHA3.Clone 0r
	SHAKE.Write 0w
	SHAKE.Read 0w 1w
	SHAKE.Reset 0w
	SHAKE.BlockSize 0w
	SHAKE.MarshalBinary 0w
	SHAKE.AppendBinary 0w 1a
	SHAKE.UnmarshalBinary 0w 1r
crypto/sha512
	Sum384 0r
	Sum512 0r
	Sum512_224 0r
	Sum512_256 0r
crypto/subtle
	ConstantTimeCompare 0r 1r
	ConstantTimeCopy 1w 2r
	WithDataIndependentTiming 0c
crypto/tls
	CertificateRequestInfo.Context 0r3
	CertificateRequestInfo.SupportsCertificate 0>0r 0>1r 0r0.1.2 1>0r 1>1mPublic 1>2r 1W
	CertificateVerificationError.Error 0F 0r1
	CertificateVerificationError.Unwrap 0r1
	Client 0>0mError 0>0mRead 0>0mRemoteAddr 0>0mReset 0>0mSize 0>0mSum 0>0mWrite 0>0mmarshal 0>0moriginalBytes 0>11mError 0>11mReset 0>11mSize 0>11mSum 0>11mWrite 0>11mmarshal 0>11moriginalBytes 0>19mGet 0>19mPut 0>28mError 0>28mReset 0>28mSize 0>28mSum 0>28mWrite 0>28mmarshal 0>28moriginalBytes 0>33mBlockSize 0>33mCryptBlocks 0>33mOpen 0>33mOverhead 0>33mReset 0>33mSetIV 0>33mSize 0>33mSum 0>33mWrite 0>33mXORKeyStream 0>33mexplicitNonceLen 0>33mmarshal 0>33moriginalBytes 0>34mBlockSize 0>34mCryptBlocks 0>34mOverhead 0>34mReset 0>34mSeal 0>34mSetIV 0>34mSize 0>34mSum 0>34mWrite 0>34mXORKeyStream 0>34mexplicitNonceLen 0>34mmarshal 0>34moriginalBytes 0>3mmarshal 0>3moriginalBytes 0>4mClone 0>4mMarshalBinary 0>4mReset 0>4mSum 0>4mWrite 0>6mErr 0F 0mAs 0mBlockSize 0mClone 0mClose 0mCryptBlocks 0mError 0mMarshalBinary 0mOpen 0mOverhead 0mRemoteAddr 0mReset 0mSeal 0mSetIV 0mSize 0mSum 0mUnwrap 0mWrite 0mXORKeyStream 0mexplicitNonceLen 0mmarshal 0moriginalBytes 1>0mError 1>0mRead 1>0mRemoteAddr 1>0mReset 1>0mSize 1>0mSum 1>0mWrite 1>0mmarshal 1>0moriginalBytes 1>11mError 1>11mReset 1>11mSize 1>11mSum 1>11mWrite 1>11mmarshal 1>11moriginalBytes 1>19mGet 1>19mPut 1>28mError 1>28mReset 1>28mSize 1>28mSum 1>28mWrite 1>28mmarshal 1>28moriginalBytes 1>33mBlockSize 1>33mCryptBlocks 1>33mOpen 1>33mOverhead 1>33mReset 1>33mSetIV 1>33mSize 1>33mSum 1>33mWrite 1>33mXORKeyStream 1>33mexplicitNonceLen 1>33mmarshal 1>33moriginalBytes 1>34mBlockSize 1>34mCryptBlocks 1>34mOverhead 1>34mReset 1>34mSeal 1>34mSetIV 1>34mSize 1>34mSum 1>34mWrite 1>34mXORKeyStream 1>34mexplicitNonceLen 1>34mmarshal 1>34moriginalBytes 1>3mmarshal 1>3moriginalBytes 1>4mClone 1>4mMarshalBinary 1>4mReset 1>4mSum 1>4mWrite 1>6mErr 1F 1l
	ClientHelloInfo.Context 0r11
	ClientHelloInfo.SupportsCertificate 0>0r 0>2r 0>3r 0>4r 0>6r 0r0.1.2.3.4.6.10 1>0r 1>1mPublic 1>2r 1W
	ClientSessionState.ResumptionState 0r
	Config.Clone 0l
	Config.SetSessionTicketKeys 0L 1r
	Config.BuildNameToCertificate 0>2r 0>3w 0r2.3 0w3
	Config.EncryptTicket 0>0mRead 0L 2>0r 2r0.1.2.3.4.5.6.7.8.9.10.11.12.13.14.16
	Config.DecryptTicket 0>0mRead 0L 1r
	Conn.LocalAddr 0>0mLocalAddr 0r
	Conn.RemoteAddr 0>0mRemoteAddr 0r
	Conn.SetDeadline 0>0mSetDeadline 0r
	Conn.SetReadDeadline 0>0mSetReadDeadline 0r
	Conn.SetWriteDeadline 0>0mSetWriteDeadline 0r
	Conn.NetConn 0r
	Conn.Write 0>0mClose 0>0mWrite 0>34mAs 0>34mBlockSize 0>34mCryptBlocks 0>34mOverhead 0>34mReset 0>34mSeal 0>34mSetIV 0>34mSize 0>34mSum 0>34mUnwrap 0>34mWrite 0>34mXORKeyStream 0>34mexplicitNonceLen 0F 0L 1r
	Conn.Read 0>0mClose 0>0mRemoteAddr 0>0mWrite 0>33mBlockSize 0>33mCryptBlocks 0>33mError 0>33mOpen 0>33mOverhead 0>33mReset 0>33mSetIV 0>33mSize 0>33mSum 0>33mWrite 0>33mXORKeyStream 0>33mexplicitNonceLen 0>33mmarshal 0>33moriginalBytes 0>34mAs 0>34mBlockSize 0>34mCryptBlocks 0>34mError 0>34mOverhead 0>34mReset 0>34mSeal 0>34mSetIV 0>34mSize 0>34mSum 0>34mUnwrap 0>34mWrite 0>34mXORKeyStream 0>34mexplicitNonceLen 0>34mmarshal 0>34moriginalBytes 0>3mmarshal 0>3moriginalBytes 0>4mClone 0>4mMarshalBinary 0>4mReset 0>4mSum 0>4mWrite 0F 0L 1w
	Conn.Close 0>0mClose 0>0mSetWriteDeadline 0>0mWrite 0>34mBlockSize 0>34mCryptBlocks 0>34mOverhead 0>34mReset 0>34mSeal 0>34mSetIV 0>34mSize 0>34mSum 0>34mWrite 0>34mXORKeyStream 0>34mexplicitNonceLen 0F 0L
	Conn.CloseWrite 0>0mSetWriteDeadline 0>0mWrite 0>34mBlockSize 0>34mCryptBlocks 0>34mOverhead 0>34mReset 0>34mSeal 0>34mSetIV 0>34mSize 0>34mSum 0>34mWrite 0>34mXORKeyStream 0>34mexplicitNonceLen 0L
	Conn.Handshake 0>0mClose 0>0mWrite 0>34mAs 0>34mBlockSize 0>34mCryptBlocks 0>34mOverhead 0>34mReset 0>34mSeal 0>34mSetIV 0>34mSize 0>34mSum 0>34mUnwrap 0>34mWrite 0>34mXORKeyStream 0>34mexplicitNonceLen 0F 0L
	Conn.HandshakeContext 0>0mClose 0>0mWrite 0>34mAs 0>34mBlockSize 0>34mCryptBlocks 0>34mOverhead 0>34mReset 0>34mSeal 0>34mSetIV 0>34mSize 0>34mSum 0>34mUnwrap 0>34mWrite 0>34mXORKeyStream 0>34mexplicitNonceLen 0F 0L 1mDone 1mErr
	Conn.ConnectionState 0L
	Conn.OCSPResponse 0L
	Conn.VerifyHostname 0L
	ConnectionState.ExportKeyingMaterial 0r15
	Dial 2>0mError 2>0mRead 2>0mRemoteAddr 2>0mReset 2>0mSize 2>0mSum 2>0mWrite 2>0mmarshal 2>0moriginalBytes 2>11mError 2>11mReset 2>11mSize 2>11mSum 2>11mWrite 2>11mmarshal 2>11moriginalBytes 2>19mGet 2>19mPut 2>28mError 2>28mReset 2>28mSize 2>28mSum 2>28mWrite 2>28mmarshal 2>28moriginalBytes 2>33mBlockSize 2>33mCryptBlocks 2>33mOpen 2>33mOverhead 2>33mReset 2>33mSetIV 2>33mSize 2>33mSum 2>33mWrite 2>33mXORKeyStream 2>33mexplicitNonceLen 2>33mmarshal 2>33moriginalBytes 2>34mBlockSize 2>34mCryptBlocks 2>34mOverhead 2>34mReset 2>34mSeal 2>34mSetIV 2>34mSize 2>34mSum 2>34mWrite 2>34mXORKeyStream 2>34mexplicitNonceLen 2>34mmarshal 2>34moriginalBytes 2>3mmarshal 2>3moriginalBytes 2>4mClone 2>4mMarshalBinary 2>4mReset 2>4mSum 2>4mWrite 2>6mErr 2F 2l $files:l
	DialWithDialer 0>2mNetwork 0>2mString 0L 3>0mError 3>0mRead 3>0mRemoteAddr 3>0mReset 3>0mSize 3>0mSum 3>0mWrite 3>0mmarshal 3>0moriginalBytes 3>11mError 3>11mReset 3>11mSize 3>11mSum 3>11mWrite 3>11mmarshal 3>11moriginalBytes 3>19mGet 3>19mPut 3>28mError 3>28mReset 3>28mSize 3>28mSum 3>28mWrite 3>28mmarshal 3>28moriginalBytes 3>33mBlockSize 3>33mCryptBlocks 3>33mOpen 3>33mOverhead 3>33mReset 3>33mSetIV 3>33mSize 3>33mSum 3>33mWrite 3>33mXORKeyStream 3>33mexplicitNonceLen 3>33mmarshal 3>33moriginalBytes 3>34mBlockSize 3>34mCryptBlocks 3>34mOverhead 3>34mReset 3>34mSeal 3>34mSetIV 3>34mSize 3>34mSum 3>34mWrite 3>34mXORKeyStream 3>34mexplicitNonceLen 3>34mmarshal 3>34moriginalBytes 3>3mmarshal 3>3moriginalBytes 3>4mClone 3>4mMarshalBinary 3>4mReset 3>4mSum 3>4mWrite 3>6mErr 3F 3l $files:l
	Dialer.Dial 0>1mAs 0>1mBlockSize 0>1mClone 0>1mClose 0>1mCryptBlocks 0>1mError 0>1mMarshalBinary 0>1mOpen 0>1mOverhead 0>1mRemoteAddr 0>1mReset 0>1mSeal 0>1mSetIV 0>1mSize 0>1mSum 0>1mUnwrap 0>1mWrite 0>1mXORKeyStream 0>1mexplicitNonceLen 0>1mmarshal 0>1moriginalBytes 0F 0L $files:l
	Dialer.DialContext 0>1mAs 0>1mBlockSize 0>1mClone 0>1mClose 0>1mCryptBlocks 0>1mError 0>1mMarshalBinary 0>1mOpen 0>1mOverhead 0>1mRemoteAddr 0>1mReset 0>1mSeal 0>1mSetIV 0>1mSize 0>1mSum 0>1mUnwrap 0>1mWrite 0>1mXORKeyStream 0>1mexplicitNonceLen 0>1mmarshal 0>1moriginalBytes 0F 0L 1c 1mDeadline 1mDone 1mErr 1mValue $files:l
	Listen 2r2.4.6 $files:l
	LoadX509KeyPair $files:L
	NewResumptionState 1w15
	ParseSessionState 0r
	QUICClient 0>0mAs 0>0mBlockSize 0>0mClone 0>0mClose 0>0mCryptBlocks 0>0mError 0>0mMarshalBinary 0>0mOpen 0>0mOverhead 0>0mRemoteAddr 0>0mReset 0>0mSeal 0>0mSetIV 0>0mSize 0>0mSum 0>0mUnwrap 0>0mWrite 0>0mXORKeyStream 0>0mexplicitNonceLen 0>0mmarshal 0>0moriginalBytes 0F 0l
	QUICConn.Start 0F 0L 1mDone 1mErr
	QUICConn.NextEvent 0>0r 0r
	QUICConn.Close 0>0r 0r
	QUICConn.HandleData 0>0mError 0>0mReset 0>0mSize 0>0mSum 0>0mWrite 0>0mmarshal 0>0moriginalBytes 0F 0L
	QUICConn.SendSessionTicket 0F 0L
	QUICConn.StoreSession 0>0r 0r
	QUICConn.ConnectionState 0L
	QUICConn.SetTransportParameters 0>0r 0r
	QUICServer 0>0mAs 0>0mBlockSize 0>0mClone 0>0mClose 0>0mCryptBlocks 0>0mMarshalBinary 0>0mOpen 0>0mOverhead 0>0mPublic 0>0mReset 0>0mSeal 0>0mSetIV 0>0mSign 0>0mSignMessage 0>0mSize 0>0mSum 0>0mUnwrap 0>0mWrite 0>0mXORKeyStream 0>0mexplicitNonceLen 0>0mmarshal 0>0moriginalBytes 0F 0l
	Server 0>0mRead 0>0mWrite 0>1mPublic 0>1mSign 0>1mSignMessage 0>33mBlockSize 0>33mCryptBlocks 0>33mOpen 0>33mOverhead 0>33mReset 0>33mSetIV 0>33mSize 0>33mSum 0>33mWrite 0>33mXORKeyStream 0>33mexplicitNonceLen 0>33mmarshal 0>33moriginalBytes 0>34mBlockSize 0>34mCryptBlocks 0>34mOverhead 0>34mReset 0>34mSeal 0>34mSetIV 0>34mSize 0>34mSum 0>34mWrite 0>34mXORKeyStream 0>34mexplicitNonceLen 0>34mmarshal 0>34moriginalBytes 0>6mErr 0F 0mAs 0mBlockSize 0mClone 0mClose 0mCryptBlocks 0mMarshalBinary 0mOpen 0mOverhead 0mPublic 0mReset 0mSeal 0mSetIV 0mSign 0mSignMessage 0mSize 0mSum 0mUnwrap 0mWrite 0mXORKeyStream 0mexplicitNonceLen 0mmarshal 0moriginalBytes 1>0mRead 1>0mWrite 1>1mPublic 1>1mSign 1>1mSignMessage 1>33mBlockSize 1>33mCryptBlocks 1>33mOpen 1>33mOverhead 1>33mReset 1>33mSetIV 1>33mSize 1>33mSum 1>33mWrite 1>33mXORKeyStream 1>33mexplicitNonceLen 1>33mmarshal 1>33moriginalBytes 1>34mBlockSize 1>34mCryptBlocks 1>34mOverhead 1>34mReset 1>34mSeal 1>34mSetIV 1>34mSize 1>34mSum 1>34mWrite 1>34mXORKeyStream 1>34mexplicitNonceLen 1>34mmarshal 1>34moriginalBytes 1>6mErr 1F 1l
	SessionState.Bytes 0>0r 0r0.1.2.3.4.5.6.7.8.9.10.11.12.13.14.16
	X509KeyPair 0r 1>2mError 1W
	atLeastReader.Read 0>0mRead 0r0.1 0w1 1w
	cthWrapper.Size 0>0mSize 0r
	cthWrapper.BlockSize 0>0mBlockSize 0r
	cthWrapper.Reset 0>0mReset 0r
	cthWrapper.Write 0>0mWrite 0r 1r
	cthWrapper.Sum 0>0mConstantTimeSum 0r
	echConfigErr.Error 0r
	finishedHash.Write 0>0mWrite 0>1mWrite 0>2mWrite 0>3mWrite 0w 1r
	listener.Accept 0>0mAccept 0>1mAs 0>1mBlockSize 0>1mClone 0>1mClose 0>1mCryptBlocks 0>1mMarshalBinary 0>1mOpen 0>1mOverhead 0>1mPublic 0>1mReset 0>1mSeal 0>1mSetIV 0>1mSign 0>1mSignMessage 0>1mSize 0>1mSum 0>1mUnwrap 0>1mWrite 0>1mXORKeyStream 0>1mexplicitNonceLen 0>1mmarshal 0>1moriginalBytes 0F 0l
	lruSessionCache.Put 0L
	lruSessionCache.Get 0L
	marshalingFunction.Marshal 0c
	permanentError.Error 0>0mError 0r
	permanentError.Unwrap 0r
	permanentError.Timeout 0>0mTimeout 0r
	prefixNonceAEAD.Overhead 0>1mOverhead 0r1
	prefixNonceAEAD.Seal 0>1mSeal 0w 2r
	prefixNonceAEAD.Open 0>1mOpen 0w 2r
	xorNonceAEAD.Overhead 0>1mOverhead 0r1
	xorNonceAEAD.Seal 0>1mSeal 0w 2r
	xorNonceAEAD.Open 0>1mOpen 0w 2r
crypto/x509
	CertPool.Clone 0>0r 0>2r 0r
	CertPool.AddCert 0>0w 0>2w 0w 1>0r 1>3r 1r0.3
	CertPool.AppendCertsFromPEM 0>0w 0>2w 0w 1W
	CertPool.Subjects 0r
	CertPool.Equal 0>2r 0r2.3 1>2r 1r
	CertPool.AddCertWithConstraint 0>0w 0>2w 0w 1>0r 1>3r 1r0.3
	Certificate.Verify 0>0r 0>1r 0>26r 0>29r 0>31r 0>3r 0>4r 0>5r 0w 1F 1r
	Certificate.VerifyHostname 0>29r 0>31r 0r29.31
	Certificate.Equal 0>0r 0r0 1>0r 1r0
	Certificate.CheckSignatureFrom 0>1r 0>5r 0r1.5.6 1F 1r7.8.9.15.21.22
	Certificate.CheckSignature 0F 0r8 2r 3r
	Certificate.CheckCRLSignature 0F 0r8 1R 1r0.1.2
	Certificate.CreateCRL 0>25mEncode 0>25mLen 0>25r 0R 0r12.25 2mPublic 2mSign 2mSignMessage 3R 3r
	CertificateRequest.CheckSignature 0>1r 0>5r 0F 0r1.5.6.8
	CreateCertificate 0mRead 1>10mEncode 1>10mLen 1>10r 1>17r 1>19r 1>20r 1>25mEncode 1>25mLen 1>25r 1>26mEncode 1>26mLen 1>26r 1>27r 1>28r 1>29r 1>30r 1>31r 1>32r 1>34r 1>35r 1>36r 1>37r 1>38r 1>39r 1>3mEncode 1>3mLen 1>3r 1>40r 1>41r 1>42r 1>43r 1>44r 1R 1r3.6.10.12.13.14.15.17.19.20.21.22.23.24.25.26.27.28.29.30.31.32.33.34.35.36.37.38.39.40.41.42.43.44 2>25mEncode 2>25mLen 2>25r 2>3mEncode 2>3mLen 2>3r 2R 2r3.8.12.25 3>0mEncode 3>0mLen 3>0mParams 3R 3mEncode 3mLen 3r 4mPublic 4mSign 4mSignMessage
	CreateCertificateRequest 1>10r 1>12r 1>13r 1>14r 1>15r 1>16r 1>3mEncode 1>3mLen 1>3r 1R 1r3.6.9.10.12.13.14.15.16 2mPublic 2mSign 2mSignMessage
	CreateRevocationList 1>13r 1>7r 1>8r 1>9mEncode 1>9mLen 1>9r 1R 1r6.7.8.9.10.11.13 2>25mEncode 2>25mLen 2>25r 2>3mEncode 2>3mLen 2>3r 2R 2r3.12.15.25 3mPublic 3mSign 3mSignMessage
	DecryptPEMBlock 0>1r 0r1.2 1r
	EncryptPEMBlock 0mRead 2r 3r
	HostnameError.Error 0r
	IsEncryptedPEMBlock 0>1r 0r1
	MarshalECPrivateKey 0>0mParams 0>1r 0r0.1
	MarshalPKCS1PrivateKey 0>0mEncode 0>0mLen 0>1mEncode 0>1mLen 0>1r 0>1w 0>2r 0>3mEncode 0>3mLen 0R 0r0.1.2.3 0w3
	MarshalPKCS1PublicKey 0>0mEncode 0>0mLen 0>0r 0R 0r0.1
	MarshalPKCS8PrivateKey 0>0mEncode 0>0mLen 0>0mParams 0>1mEncode 0>1mLen 0>3mEncode 0>3mLen 0R 0w
	MarshalPKIXPublicKey 0>0mEncode 0>0mLen 0>0mParams 0R 0mEncode 0mLen 0r
	OID.AppendText 0r 1a
	OID.MarshalText 0r
	OID.UnmarshalText 0w 1r
	OID.AppendBinary 0r 1a
	OID.MarshalBinary 0r
	OID.UnmarshalBinary 0w 1r
	OID.Equal 0r 1r
	OID.EqualASN1OID 0r 1r
	OID.String 0r
	OIDFromASN1OID 0r
	OIDFromInts 0r
	ParseCRL 0R 0r
	ParseCertificate 0W
	ParseCertificateRequest 0R 0r
	ParseCertificates 0W
	ParseDERCRL 0R 0r
	ParseECPrivateKey 0R 0r
	ParsePKCS1PrivateKey 0R 0r
	ParsePKCS1PublicKey 0R 0r
	ParsePKCS8PrivateKey 0R 0r
	ParsePKIXPublicKey 0R 0r
	ParseRevocationList 0W
	RevocationList.CheckSignatureFrom 0>1r 0>5r 0r1.5.6 1F 1r7.8.9.15.21.22
	SystemCertPool $environment:l $files:L
	UnknownAuthorityError.Error 0F 0r
	parsedURI.String 0r
crypto/x509/pkix
	CertificateList.HasExpired 0r0
	Name.FillFromRDNSequence 0r0.1.2.3.4.5.6.9 0w0.1.2.3.4.5.6.7.8.9 1r
	Name.ToRDNSequence 0r
	Name.String 0r
	RDNSequence.String 0R 0r
database/sql/driver
	boolType.ConvertValue 1R 1r
	defaultConverter.ConvertValue 1R 1mValue
	int32Type.ConvertValue 1R
	stringType.ConvertValue 1F
embed
	FS.Open 0r
	FS.ReadDir 0r
	FS.ReadFile 0r
	file.Name 0r
	file.Size 0r
	file.IsDir 0r
	file.Type 0r
	file.Mode 0r
	file.String 0r
	openDir.Stat 0r
	openDir.Read 0>0r 0r
	openDir.ReadDir 0w
	openFile.Stat 0r
	openFile.Read 0>0r 0w 1w
	openFile.Seek 0>0r 0w
	openFile.ReadAt 0>0r 0r 1w
encoding/ascii85
	Decode 0w 1r
	Encode 0w 1r
	decoder.Read 0>2mRead 0w 1w
	encoder.Write 0>1mWrite 0w 1r
	encoder.Close 0>1mWrite 0w
encoding/asn1
	BitString.At 0r
	BitString.RightAlign 0r
	Marshal 0R 0mEncode 0mLen 0r
	MarshalWithParams 0R 0mEncode 0mLen 0r
	ObjectIdentifier.Equal 0r 1r
	ObjectIdentifier.String 0r
	Unmarshal 0R 0r 1W
	UnmarshalWithParams 0R 0r 1W
	bitStringEncoder.Encode 0r 1w
	byteEncoder.Encode 1w
	bytesEncoder.Encode 0r 1w
	int64Encoder.Encode 1w
	invalidUnmarshalError.Error 0r0
	multiEncoder.Len 0r
	multiEncoder.Encode 0r
	oidEncoder.Len 0r
	oidEncoder.Encode 0r 1a
	setEncoder.Len 0r
	setEncoder.Encode 0r 1w
	stringEncoder.Encode 1w
	taggedEncoder.Len 0>1mLen 0>2mLen 0r
	taggedEncoder.Encode 0>1mEncode 0>1mLen 0>2mEncode 0r
encoding/base32
	Encoding.Encode 0r 1w 2r
	Encoding.AppendEncode 0r 1w 2r
	Encoding.EncodeToString 0r 1r
	Encoding.EncodedLen 0r
	Encoding.Decode 0r 1w 2r
	Encoding.AppendDecode 0r 1w 2r
	Encoding.DecodeString 0r
	Encoding.DecodedLen 0r
	decoder.Read 0>1r 0>2mRead 0w 1w
	encoder.Write 0>1r 0>2mWrite 0w 1r
	encoder.Close 0>1r 0>2mWrite 0w
	newlineFilteringReader.Read 0>0mRead 0r 1w
encoding/base64
	Encoding.Encode 0r 1w 2r
	Encoding.AppendEncode 0r 1w 2r
	Encoding.EncodeToString 0r 1r
	Encoding.EncodedLen 0r
	Encoding.AppendDecode 0r 1w 2r
	Encoding.DecodeString 0r
	Encoding.Decode 0r 1w 2r
	Encoding.DecodedLen 0r
	decoder.Read 0>2r 0>3mRead 0w 1w
	encoder.Write 0>1r 0>2mWrite 0w 1r
	encoder.Close 0>1r 0>2mWrite 0w
	newlineFilteringReader.Read 0>0mRead 0r 1w
encoding/binary
	Append 0a 2R
	AppendUvarint 0a
	AppendVarint 0a
	Decode 0r 1mUint16 1mUint32 1mUint64 2W
	Encode 0w 1mPutUint16 1mPutUint32 1mPutUint64 2R 2r
	PutUvarint 0w
	PutVarint 0w
	Read 0mRead 1mUint16 1mUint32 1mUint64 2W
	ReadUvarint 0mReadByte
	ReadVarint 0mReadByte
	Size 0R
	Uvarint 0r
	Varint 0r
	Write 0mWrite 1mPutUint16 1mPutUint32 1mPutUint64 2R 2r
	bigEndian.Uint16 1r[2
	bigEndian.PutUint16 1w[2
	bigEndian.AppendUint16 1a
	bigEndian.Uint32 1r[4
	bigEndian.PutUint32 1w[4
	bigEndian.AppendUint32 1a
	bigEndian.Uint64 1r[8
	bigEndian.PutUint64 1w[8
	bigEndian.AppendUint64 1a
	littleEndian.Uint16 1r[2
	littleEndian.PutUint16 1w[2
	littleEndian.AppendUint16 1a
	littleEndian.Uint32 1r[4
	littleEndian.PutUint32 1w[4
	littleEndian.AppendUint32 1a
	littleEndian.Uint64 1r[8
	littleEndian.PutUint64 1w[8
	littleEndian.AppendUint64 1a
encoding/csv
	ParseError.Error 0F 0r0.1.2.3
	ParseError.Unwrap 0r3
	Reader.Read 0>7r 0>7w 0r0.1.2.3.4.5.7.8.9.10.11.12.13.14 0w2.8.9.10.11.12.13.14
	Reader.FieldPos 0r13
	Reader.InputOffset 0r9
	Reader.ReadAll 0>7r 0>7w 0r0.1.2.3.4.7.8.9.10.11.12.13 0w2.8.9.10.11.12.13
	Writer.Write 0>2r 0>2w 0r0.1.2 1r
	Writer.Flush 0r2 0>2w 0Kflush
	Writer.Error 0>2r 0>2w 0r2
	Writer.WriteAll 0>2w 0r0.1.2 0Kwrite 1r
encoding/gob
	Decoder.Decode 0L 0Kfill 1W
	Decoder.DecodeValue 0L 0Kfill 1W
	Encoder.Encode 0L 0Kwrite 1R
	Encoder.EncodeValue 0L 0Kwrite 1R
	decBuffer.Read 0w 1w
	decBuffer.Drop 0w
	decBuffer.ReadByte 0w
	decBuffer.Len 0r
	decBuffer.Bytes 0r
	decBuffer.SetBytes 0w
	decBuffer.Reset 0w
	encBuffer.Write 0w 1r
	encBuffer.WriteString 0w
	encBuffer.Len 0r
	encBuffer.Bytes 0r
	encBuffer.Reset 0w
encoding/hex
	AppendDecode 0a 1r
	AppendEncode 0a 1r
	Decode 0w 1r
	Dump 0r
	Encode 0w 1r
	EncodeToString 0r
	decoder.Read 0>0mRead 0w 1w
	dumper.Write 0>0mWrite 0w 1r
	dumper.Close 0>0mWrite 0w
	encoder.Write 0>0mWrite 0w 1r
encoding/json
	Compact 0w 1r
	Decoder.UseNumber 0w
	Decoder.DisallowUnknownFields 0w
	Decoder.Decode 0>0mRead 0w 0w1.3.4 1W
	Decoder.Buffered 0r1.3
	Decoder.Token 0>0mRead 0w 0w1.3.4
	Decoder.More 0>0mRead 0w 0w1.3.4
	Decoder.InputOffset 0r3.4
	Encoder.Encode 0>0mWrite 0w 1R
	Encoder.SetIndent 0w
	Encoder.SetEscapeHTML 0w
	HTMLEscape 0w 1r
	Indent 0w 1r
	InvalidUTF8Error.Error 0r0
	InvalidUnmarshalError.Error 0r0
	Marshal 0R
	MarshalIndent 0R
	MarshalerError.Error 0>1mError 0r0.1.2
	MarshalerError.Unwrap 0r1
	RawMessage.MarshalJSON 0r
	RawMessage.UnmarshalJSON 0w 1r
	SyntaxError.Error 0r0
	Unmarshal 0r 1W
	UnmarshalFieldError.Error 0r0.1.2
	UnmarshalTypeError.Error 0r0.1.3.4
	UnsupportedTypeError.Error 0r0
	UnsupportedValueError.Error 0r1
	Valid 0r
encoding/pem
	Decode 0r
	Encode 0mWrite 1>1r 1>2r 1r0.1.2
	EncodeToMemory 0>1r 0>2r 0r0.1.2
	lineBreaker.Write 0>2mWrite 0w 1r
	lineBreaker.Close 0>2mWrite 0r
encoding/xml
	CharData.Copy 0r
	Comment.Copy 0r
	CopyToken 0r
	Decoder.Decode 0w 1W
	Decoder.DecodeElement 0w 1W
	Decoder.Skip 0>11w 0>16w 0>1r 0>2r 0>5mReadByte 0>6mToken 0>8w 0>9r 0>9w 0r0.1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18.20 0w5.7.9.10.11.12.13.14.15.17.18.19.20
	Decoder.Token 0>11w 0>16w 0>1r 0>2r 0>5mReadByte 0>6mToken 0>8w 0>9r 0>9w 0r0.1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18.20 0w5.7.9.10.11.12.13.14.15.17.18.19.20
	Decoder.RawToken 0>2r 0>5mReadByte 0>6mToken 0>8w 0r0.2.3.5.6.7.8.12.13.15.17.18.20.21 0w5.7.12.13.15.17.18.19.20
	Decoder.InputOffset 0r20
	Decoder.InputPos 0r18.19.20
	Directive.Copy 0r
	Encoder.Indent 0w
	Encoder.Encode 0w 0Kwrite 1R
	Encoder.EncodeElement 0w 0Kwrite 1R
	Encoder.EncodeToken 0w 1r
	Encoder.Flush 0w 0Kflush
	Encoder.Close 0w 0Kflush
	Escape 0mWrite 1r
	EscapeText 0mWrite 1r
	Marshal 0R
	MarshalIndent 0R
	ProcInst.Copy 0r
	StartElement.Copy 0r
	SyntaxError.Error 0r0.1
	TagPathError.Error 0F 0r0.1.2.3.4
	Unmarshal 1W
	UnsupportedTypeError.Error 0r0
	printer.Write 0>0r 0>0w 0w 1r
	printer.WriteString 0>0r 0>0w 0w
	printer.WriteByte 0>0r 0>0w 0w
	printer.Close 0>0r 0>0w 0w
	printer.EscapeString 0>0r 0>0w 0w
errors
	As 1W
	AsType 0mAs 0mUnwrap
	Join 0r
	errorString.Error 0r
	joinError.Error 0r
	joinError.Unwrap 0r
expvar
	Do 0c $expvar:l
	Float.Value 0l
	Float.String 0l
	Float.Add 0S
	Float.Set 0S
	Func.Value 0c
	Func.String 0c
	Get $expvar:l
	Int.Value 0l
	Int.String 0l
	Int.Add 0S
	Int.Set 0S
	Map.String 0l
	Map.Init 0L
	Map.Get 0l
	Map.Set 0L
	Map.Add 0L
	Map.AddFloat 0L
	Map.Delete 0L
	Map.Do 0l 1c
	NewFloat $expvar:L $log:L
	NewInt $expvar:L $log:L
	NewMap $expvar:L $log:L
	NewString $expvar:L $log:L
	Publish $expvar:L $log:L
	String.Value 0l
	String.String 0l
	String.Set 0S
flag
	BoolVar 0w
	DurationVar 0w
	FlagSet.Output 0r7
	FlagSet.Name 0r1
	FlagSet.ErrorHandling 0r6
	FlagSet.SetOutput 0w7
	FlagSet.VisitAll 0>4r 0r4 1c
	FlagSet.Visit 0>3r 0r3 1c
	FlagSet.Lookup 0>4r 0r4
	FlagSet.Set 0>3w 0>4r 0r4 0z3 0Kflags 1Kset
	FlagSet.PrintDefaults 0>4r 0>7mWrite 0r4.7
	FlagSet.NFlag 0>3r 0r3
	FlagSet.Arg 0r5
	FlagSet.NArg 0r5
	FlagSet.Args 0r5
	FlagSet.BoolVar 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4 1w
	FlagSet.Bool 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4
	FlagSet.IntVar 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4 1w
	FlagSet.Int 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4
	FlagSet.Int64Var 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4 1w
	FlagSet.Int64 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4
	FlagSet.UintVar 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4 1w
	FlagSet.Uint 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4
	FlagSet.Uint64Var 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4 1w
	FlagSet.Uint64 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4
	FlagSet.StringVar 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4 1w
	FlagSet.String 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4
	FlagSet.Float64Var 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4 1w
	FlagSet.Float64 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4
	FlagSet.DurationVar 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4 1w
	FlagSet.Duration 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4
	FlagSet.TextVar 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4 1W 3R
	FlagSet.Func 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4
	FlagSet.BoolFunc 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4
	FlagSet.Var 0>4w 0>7mWrite 0>8r 0r1.4.7.8 0z4 1mString
	FlagSet.Parse 0>7mWrite 0r0.1.4.6.7 0z3 0w2.5 0>3w 0>4r 0Kflags 1Kparse
	FlagSet.Parsed 0r2
	FlagSet.Init 0w1.6
	Float64Var 0w
	Int64Var 0w
	IntVar 0w
	StringVar 0w
	TextVar 0W 2R
	Uint64Var 0w
	UintVar 0w
	UnquoteUsage 0>2mIsBoolFlag 0r1.2
	Var 0mString
	Visit 0c
	VisitAll 0c
	boolFuncValue.Set 0c
	boolValue.Set 0w
	boolValue.Get 0r
	boolValue.String 0r
	durationValue.Set 0w
	durationValue.Get 0r
	durationValue.String 0r
	float64Value.Set 0w
	float64Value.Get 0r
	float64Value.String 0r
	funcValue.Set 0c
	int64Value.Set 0w
	int64Value.Get 0r
	int64Value.String 0r
	intValue.Set 0w
	intValue.Get 0r
	intValue.String 0r
	stringValue.Set 0w
	stringValue.Get 0r
	stringValue.String 0r
	uint64Value.Set 0w
	uint64Value.Get 0r
	uint64Value.String 0r
	uintValue.Set 0w
	uintValue.Get 0r
	uintValue.String 0r
fmt
	Append 0a 1F
	Appendf 0a 2F
	Appendln 0a 1F
	Errorf 1F 1r
	FormatString 0mFlag 0mPrecision 0mWidth
	Fprint 0mWrite 1F
	Fprintf 0mWrite 2F
	Fprintln 0mWrite 1F
	Fscan 0mReadRune 1W
	Fscanf 0mReadRune 2W
	Fscanln 0mReadRune 1W
	Print 0F
	Printf 1F
	Println 0F
	Scan 0W
	Scanf 1W
	Scanln 0W
	Sprint 0F
	Sprintf 1F
	Sprintln 0F
	Sscan 1W
	Sscanf 2W
	Sscanln 1W
	pp.Width 0r
	pp.Precision 0r
	pp.Flag 0r
	pp.Write 0w 1r
	pp.WriteString 0w
	readRune.ReadRune 0>0mRead 0w
	readRune.UnreadRune 0w
	ss.ReadRune 0>0mReadRune 0w
	ss.Width 0r
	ss.UnreadRune 0>0mUnreadRune 0w
	ss.Token 0>0mReadRune 0>0mUnreadRune 0w 2c
	ss.SkipSpace 0>0mReadRune 0>0mUnreadRune 0w
	stringReader.Read 0w 1w
	wrapError.Error 0r
	wrapError.Unwrap 0r
	wrapErrors.Error 0r
	wrapErrors.Unwrap 0r
hash/adler32
	Checksum 0r
	digest.Reset 0w
	digest.AppendBinary 0r 1a
	digest.MarshalBinary 0r
	digest.UnmarshalBinary 0w 1r
	digest.Clone 0r
	digest.Write 0w 1r
	digest.Sum32 0r
	digest.Sum 0r 1a
hash/crc32
	Checksum 0r 1r
	ChecksumIEEE 0r
	Update 1r 2r
	digest.Reset 0w
	digest.AppendBinary 0r 1a
	digest.MarshalBinary 0r
	digest.UnmarshalBinary 0w 1r
	digest.Clone 0r
	digest.Write 0w 1r
	digest.Sum32 0r
	digest.Sum 0r 1a
hash/crc64
	Checksum 0r 1r
	Update 1r 2r
	digest.Reset 0w
	digest.AppendBinary 0r 1a
	digest.MarshalBinary 0r
	digest.UnmarshalBinary 0w 1r
	digest.Clone 0r
	digest.Write 0w 1r
	digest.Sum64 0r
	digest.Sum 0r 1a
hash/fnv
	sum128.Reset 0w
	sum128.Write 0w 1r
	sum128.Sum 0r 1a
	sum128.AppendBinary 0r 1a
	sum128.MarshalBinary 0r
	sum128.UnmarshalBinary 0w 1r
	sum128.Clone 0r
	sum128a.Reset 0w
	sum128a.Write 0w 1r
	sum128a.Sum 0r 1a
	sum128a.AppendBinary 0r 1a
	sum128a.MarshalBinary 0r
	sum128a.UnmarshalBinary 0w 1r
	sum128a.Clone 0r
	sum32.Reset 0w
	sum32.Sum32 0r
	sum32.Write 0w 1r
	sum32.Sum 0r 1a
	sum32.AppendBinary 0r 1a
	sum32.MarshalBinary 0r
	sum32.UnmarshalBinary 0w 1r
	sum32.Clone 0r
	sum32a.Reset 0w
	sum32a.Sum32 0r
	sum32a.Write 0w 1r
	sum32a.Sum 0r 1a
	sum32a.AppendBinary 0r 1a
	sum32a.MarshalBinary 0r
	sum32a.UnmarshalBinary 0w 1r
	sum32a.Clone 0r
	sum64.Reset 0w
	sum64.Sum64 0r
	sum64.Write 0w 1r
	sum64.Sum 0r 1a
	sum64.AppendBinary 0r 1a
	sum64.MarshalBinary 0r
	sum64.UnmarshalBinary 0w 1r
	sum64.Clone 0r
	sum64a.Reset 0w
	sum64a.Sum64 0r
	sum64a.Write 0w 1r
	sum64a.Sum 0r 1a
	sum64a.AppendBinary 0r 1a
	sum64a.MarshalBinary 0r
	sum64a.UnmarshalBinary 0w 1r
	sum64a.Clone 0r
hash/maphash
	Hash.WriteByte 0w
	Hash.Write 0w 1r
	Hash.WriteString 0w
	Hash.Seed 0w
	Hash.SetSeed 0w
	Hash.Reset 0w
	Hash.Sum64 0w
	Hash.Sum 0w 1a
	Hash.Clone 0w
	WriteComparable 0w
html/template
	Error.Error 0>1mPosition 0>1mString 0>1mtree 0r1.2.3.4
	HTMLEscape 0mWrite 1r
	HTMLEscaper 0R 0w
	IsTrue 0R
	JSEscape 0mWrite 1r
	JSEscaper 0R 0w
	ParseFS 0mGlob 0mOpen 0mReadDir 0mReadFile 0mStat 1r
	ParseFiles 0r
	ParseGlob $files:l
	Template.Templates 0L
	Template.Option 0r1 1r
	Template.Execute 0F 0L 1mWrite 2R
	Template.ExecuteTemplate 0L 1mWrite 3R
	Template.DefinedTemplates 0l
	Template.Parse 0L
	Template.AddParseTree 0L 2>2mString 2r2
	Template.Clone 0L
	Template.New 0L
	Template.Name 0r1
	Template.Funcs 0L 1r
	Template.Delims 0r1
	Template.Lookup 0L
	Template.ParseFiles 0L 1r
	Template.ParseGlob 0L $files:l
	Template.ParseFS 0L 1mGlob 1mOpen 1mReadDir 1mReadFile 1mStat 2r
	URLQueryEscaper 0R 0w
	context.String 0F
image
	Alpha.Bounds 0r2
	Alpha.At 0r0.1.2
	Alpha.RGBA64At 0r0.1.2
	Alpha.AlphaAt 0r0.1.2
	Alpha.PixOffset 0r1.2
	Alpha.Set 0r0.1.2
	Alpha.SetRGBA64 0r0.1.2
	Alpha.SetAlpha 0r0.1.2
	Alpha.SubImage 0r0.1.2
	Alpha.Opaque 0r0.1.2
	Alpha16.Bounds 0r2
	Alpha16.At 0r0.1.2
	Alpha16.RGBA64At 0r0.1.2
	Alpha16.Alpha16At 0r0.1.2
	Alpha16.PixOffset 0r1.2
	Alpha16.Set 0r0.1.2
	Alpha16.SetRGBA64 0r0.1.2
	Alpha16.SetAlpha16 0r0.1.2
	Alpha16.SubImage 0r0.1.2
	Alpha16.Opaque 0r0.1.2
	CMYK.Bounds 0r2
	CMYK.At 0r0.1.2
	CMYK.RGBA64At 0r0.1.2
	CMYK.CMYKAt 0r0.1.2
	CMYK.PixOffset 0r1.2
	CMYK.Set 0r0.1.2
	CMYK.SetRGBA64 0r0.1.2
	CMYK.SetCMYK 0r0.1.2
	CMYK.SubImage 0r0.1.2
	Decode 0mPeek
	DecodeConfig 0mPeek
	Gray.Bounds 0r2
	Gray.At 0r0.1.2
	Gray.RGBA64At 0r0.1.2
	Gray.GrayAt 0r0.1.2
	Gray.PixOffset 0r1.2
	Gray.Set 0r0.1.2
	Gray.SetRGBA64 0r0.1.2
	Gray.SetGray 0r0.1.2
	Gray.SubImage 0r0.1.2
	Gray16.Bounds 0r2
	Gray16.At 0r0.1.2
	Gray16.RGBA64At 0r0.1.2
	Gray16.Gray16At 0r0.1.2
	Gray16.PixOffset 0r1.2
	Gray16.Set 0r0.1.2
	Gray16.SetRGBA64 0r0.1.2
	Gray16.SetGray16 0r0.1.2
	Gray16.SubImage 0r0.1.2
	NRGBA.Bounds 0r2
	NRGBA.At 0r0.1.2
	NRGBA.RGBA64At 0r0.1.2
	NRGBA.NRGBAAt 0r0.1.2
	NRGBA.PixOffset 0r1.2
	NRGBA.Set 0r0.1.2
	NRGBA.SetRGBA64 0r0.1.2
	NRGBA.SetNRGBA 0r0.1.2
	NRGBA.SubImage 0r0.1.2
	NRGBA.Opaque 0r0.1.2
	NRGBA64.Bounds 0r2
	NRGBA64.At 0r0.1.2
	NRGBA64.RGBA64At 0r0.1.2
	NRGBA64.NRGBA64At 0r0.1.2
	NRGBA64.PixOffset 0r1.2
	NRGBA64.Set 0r0.1.2
	NRGBA64.SetRGBA64 0r0.1.2
	NRGBA64.SetNRGBA64 0r0.1.2
	NRGBA64.SubImage 0r0.1.2
	NRGBA64.Opaque 0r0.1.2
	NYCbCrA.At 0r0.1.2
	NYCbCrA.RGBA64At 0r0.1.2
	NYCbCrA.NYCbCrAAt 0r0.1.2
	NYCbCrA.AOffset 0r0.2
	NYCbCrA.SubImage 0r0.1.2
	NYCbCrA.Opaque 0r0.1.2
	Paletted.ColorModel 0r3
	Paletted.Bounds 0r2
	Paletted.At 0r0.1.2.3
	Paletted.RGBA64At 0r0.1.2.3
	Paletted.PixOffset 0r1.2
	Paletted.Set 0r0.1.2.3 3mRGBA
	Paletted.SetRGBA64 0r0.1.2.3
	Paletted.ColorIndexAt 0r0.1.2
	Paletted.SetColorIndex 0r0.1.2
	Paletted.SubImage 0r0.1.2.3
	Paletted.Opaque 0r0.1.2.3
	RGBA.Bounds 0r2
	RGBA.At 0r0.1.2
	RGBA.RGBA64At 0r0.1.2
	RGBA.RGBAAt 0r0.1.2
	RGBA.PixOffset 0r1.2
	RGBA.Set 0r0.1.2
	RGBA.SetRGBA64 0r0.1.2
	RGBA.SetRGBA 0r0.1.2
	RGBA.SubImage 0r0.1.2
	RGBA.Opaque 0r0.1.2
	RGBA64.Bounds 0r2
	RGBA64.At 0r0.1.2
	RGBA64.RGBA64At 0r0.1.2
	RGBA64.PixOffset 0r1.2
	RGBA64.Set 0r0.1.2
	RGBA64.SetRGBA64 0r0.1.2
	RGBA64.SubImage 0r0.1.2
	RGBA64.Opaque 0r0.1.2
	Uniform.RGBA 0>0mRGBA 0r0
	Uniform.Convert 0r0
	Uniform.At 0r0
	Uniform.RGBA64At 0>0mRGBA 0r0
	Uniform.Opaque 0>0mRGBA 0r0
	YCbCr.Bounds 0r6
	YCbCr.At 0r0.1.2.3.4.5.6
	YCbCr.RGBA64At 0r0.1.2.3.4.5.6
	YCbCr.YCbCrAt 0r0.1.2.3.4.5.6
	YCbCr.YOffset 0r3.6
	YCbCr.COffset 0r4.5.6
	YCbCr.SubImage 0r0.1.2.3.4.5.6
image/color
	Palette.Convert 0r 1mRGBA
	Palette.Index 0r 1mRGBA
	modelFunc.Convert 0r
image/draw
	Draw 0mAt 0mBounds 0mRGBA64At 0mSet 0mSetRGBA64 2>0mRGBA 2mAt 2mBounds 2mRGBA64At
	DrawMask 0mAt 0mBounds 0mRGBA64At 0mSet 0mSetRGBA64 2>0mRGBA 2mAt 2mBounds 2mRGBA64At 4mAt 4mBounds 4mRGBA64At
	Op.Draw 1mAt 1mBounds 1mRGBA64At 1mSet 1mSetRGBA64 3>0mRGBA 3mAt 3mBounds 3mRGBA64At
	floydSteinberg.Draw 1mAt 1mBounds 1mSet 3mAt 3mBounds
image/gif
	Encode 0mFlush 0mWrite 0mWriteByte 0mWriteString 1>3mFlush 1>3mWrite 1>3mWriteByte 1>3mWriteString 1mAt 1mBounds 1mColorModel 2r
	EncodeAll 0mFlush 0mWrite 0mWriteByte 0mWriteString 1>0r 1>1r 1>3r 1r
	blockReader.ReadByte 0>0r 0>0w 0w
	blockReader.Read 0>0r 0>0w 0w 1w
	blockWriter.Flush 0r
	blockWriter.WriteByte 0>0mWrite 0w
	blockWriter.Write 0>0mWrite 0w 1r
image/jpeg
	Encode 0mFlush 0mWrite 0mWriteByte 1mAt 1mBounds 2r0
image/png
	Decode 0mRead 0mReset 0mSum32 0mWrite
	DecodeConfig 0mRead 0mReset 0mSum32 0mWrite
	Encode 0>0mWrite 0>3mWrite 0>4mReset 0>4mSum32 0>4mWrite 0mAt 0mBounds 0mColorIndexAt 0mWrite 0mWriteString 1>0mWrite 1>3mWrite 1>4mReset 1>4mSum32 1>4mWrite 1mAt 1mBounds 1mColorIndexAt 1mColorModel 1mOpaque 1mWrite
	Encoder.Encode 0>0mWrite 0>1mGet 0>1mPut 0>3mWrite 0>4mReset 0>4mSum32 0>4mWrite 0r1 1>0mWrite 1>3mWrite 1>4mReset 1>4mSum32 1>4mWrite 1mAt 1mBounds 1mColorIndexAt 1mWrite 1mWriteString 2>0mWrite 2>3mWrite 2>4mReset 2>4mSum32 2>4mWrite 2mAt 2mBounds 2mColorIndexAt 2mColorModel 2mOpaque 2mWrite
	decoder.Read 0>0mRead 0>2mReset 0>2mSum32 0>2mWrite 0w 1w
	encoder.Write 0>1mWrite 0w 1r
index/suffixarray
	Index.Read 0w 1mRead
	Index.Write 0r 1mWrite
	Index.Bytes 0r
	Index.Lookup 0r 1r
	Index.FindAllIndex 0r 1r
	New 0r
io
	Copy 0mReadFrom 0mWrite 1mRead 1mWriteTo
	CopyBuffer 0mReadFrom 0mWrite 1mRead 1mWriteTo 2w
	CopyN 0mReadFrom 0mWrite 1mRead
	LimitedReader.Read 0>0mRead 0r0.1 0w1 1w
	MultiReader 0r
	MultiWriter 0r
	OffsetWriter.Write 0>0mWriteAt 0w 1r
	OffsetWriter.WriteAt 0>0mWriteAt 0r0.1 1r
	OffsetWriter.Seek 0w
	ReadAll 0mRead
	ReadAtLeast 0mRead 1w
	ReadFull 0mRead 1w
	SectionReader.Read 0>0mReadAt 0w 1w
	SectionReader.Seek 0w
	SectionReader.ReadAt 0>0mReadAt 0r0.1.3 1w
	SectionReader.Size 0r1.3
	SectionReader.Outer 0r0.1.4
	WriteString 0mWrite 0mWriteString
	discard.ReadFrom 1mRead
	multiReader.Read 0w 0Kfill 1w
	multiReader.WriteTo 0w 1mReadFrom 1mWrite
	multiWriter.Write 0Kwrite 1r
	multiWriter.WriteString 0Kwrite
	onceError.Store 0L
	onceError.Load 0L
	teeReader.Read 0>0mRead 0>1mWrite 0r 1w
io/fs
	FormatDirEntry 0mIsDir 0mName 0mType
	FormatFileInfo 0mIsDir 0mModTime 0mMode 0mName 0mSize
	Glob 0mGlob 0mOpen 0mReadDir 0mStat
	Lstat 0mLstat 0mOpen 0mStat
	PathError.Error 0>2mError 0r0.1.2
	PathError.Unwrap 0r2
	PathError.Timeout 0>2mTimeout 0r2
	ReadDir 0mOpen 0mReadDir
	ReadFile 0mOpen 0mReadFile
	ReadLink 0mReadLink
	Stat 0mOpen 0mStat
	Sub 0mSub
	WalkDir 0mOpen 0mReadDir 0mStat 2c
	subFS.Open 0>0mOpen 0r
	subFS.ReadDir 0>0mOpen 0>0mReadDir 0r
	subFS.ReadFile 0>0mOpen 0>0mReadFile 0r
	subFS.ReadLink 0>0mReadLink 0r
	subFS.Lstat 0>0mLstat 0>0mOpen 0>0mStat 0r
	subFS.Glob 0>0mGlob 0>0mOpen 0>0mReadDir 0>0mStat 0r
	subFS.Sub 0r
io/ioutil
	ReadAll 0mRead
	ReadDir $files:l
	ReadFile $files:L
	TempDir $environment:l $files:L
	TempFile $environment:l $files:L
	WriteFile 1r $files:L
iter
	Pull 0c
	Pull2 0c
log
	Fatal 0F $log:L
	Fatalf 1F $log:L
	Fatalln 0F $log:L
	Flags $log:l
	Logger.SetOutput 0L
	Logger.Output 0>1mWrite 0L
	Logger.Print 0>1mWrite 0L 1F
	Logger.Printf 0>1mWrite 0L 2F
	Logger.Println 0>1mWrite 0L 1F
	Logger.Fatal 0>1mWrite 0L 1F
	Logger.Fatalf 0>1mWrite 0L 2F
	Logger.Fatalln 0>1mWrite 0L 1F
	Logger.Panic 0>1mWrite 0L 1F
	Logger.Panicf 0>1mWrite 0L 2F
	Logger.Panicln 0>1mWrite 0L 1F
	Logger.Flags 0l
	Logger.SetFlags 0S
	Logger.Prefix 0l
	Logger.SetPrefix 0S
	Logger.Writer 0L
	Output $log:L
	Panic 0F $log:L
	Panicf 1F $log:L
	Panicln 0F $log:L
	Prefix $log:l
	Print 0F $log:L
	Printf 1F $log:L
	Println 0F $log:L
	SetFlags $log:S
	SetOutput $log:L
	SetPrefix $log:S
	Writer $log:L
log/slog
	Attr.Equal 0F 1F
	Attr.String 0F
	Debug 1r $slog:l
	DebugContext 2r $slog:l
	Default $slog:l
	Error 1F 1r $slog:l
	ErrorContext 2F 2r $slog:l
	Group 1r
	GroupAttrs 1r
	GroupValue 0r
	Info 1F 1r $slog:l
	InfoContext 2F 2r $slog:l
	JSONHandler.Enabled 0>0r 0r
	JSONHandler.WithAttrs 0>0r 0r 1R 1r
	JSONHandler.WithGroup 0>0r 0r
	JSONHandler.Handle 0L 0Kwrite 2r
	Level.UnmarshalJSON 0w 1r
	Level.AppendText 1a
	Level.UnmarshalText 0w 1r
	LevelVar.Level 0l
	LevelVar.Set 0S
	LevelVar.String 0l
	LevelVar.AppendText 0l 1a
	LevelVar.MarshalText 0l
	LevelVar.UnmarshalText 0S 1r
	Log 3F 3r $slog:l
	LogAttrs 3F 3r $slog:l
	Logger.Handler 0r
	Logger.With 0>0mWithAttrs 0r 1F 1r
	Logger.WithGroup 0>0mWithGroup 0r
	Logger.Enabled 0>0mEnabled 0r
	Logger.Log 0>0mEnabled 0>0mHandle 0r 4F 4r
	Logger.LogAttrs 0>0mEnabled 0>0mHandle 0r 4F 4r
	Logger.Debug 0>0mEnabled 0>0mHandle 0r 0Kdebug 2Kshown 2r
	Logger.DebugContext 0>0mEnabled 0>0mHandle 0r 0Kdebug 3Kshown 3r
	Logger.Info 0>0mEnabled 0>0mHandle 0r 2F 2r
	Logger.InfoContext 0>0mEnabled 0>0mHandle 0r 3F 3r
	Logger.Warn 0>0mEnabled 0>0mHandle 0r 2F 2r
	Logger.WarnContext 0>0mEnabled 0>0mHandle 0r 3F 3r
	Logger.Error 0>0mEnabled 0>0mHandle 0r 2F 2r
	Logger.ErrorContext 0>0mEnabled 0>0mHandle 0r 3F 3r
	MultiHandler.Enabled 0r
	MultiHandler.Handle 0r
	MultiHandler.WithAttrs 0r
	MultiHandler.WithGroup 0r
	NewJSONHandler 1r
	NewMultiHandler 0r
	NewTextHandler 1r
	Record.Attrs 0r 1c
	Record.AddAttrs 0r5.6 0w4.5.6 1r
	Record.Add 0r5.6 0w4.5.6 1r
	SetDefault 0r $log:L $slog:S
	SetLogLoggerLevel $slog:S
	TextHandler.Enabled 0>0r 0r
	TextHandler.WithAttrs 0>0r 0r 1R 1r
	TextHandler.WithGroup 0>0r 0r
	TextHandler.Handle 0L 0Kwrite 2r
	Value.Any 0F
	Value.String 0F
	Value.Time 0F
	Value.Equal 0F 1F
	Value.Resolve 0F
	Warn 1F 1r $slog:l
	WarnContext 2F 2r $slog:l
	With 0F 0r $slog:l
	defaultHandler.Enabled $slog:l
	defaultHandler.Handle 0r 2r
	defaultHandler.WithAttrs 0>0r 0r 1R 1r
	defaultHandler.WithGroup 0>0r 0r
	handlerWriter.Write 0>0mEnabled 0>0mHandle 0>1mLevel 0r 1r
log/syslog
	Dial $files:L
	New $files:L
	NewLogger $files:L
	Writer.Write 0>6mclose 0>6mwriteString 0L 1r $files:l
	Writer.Close 0>6mclose 0L
	Writer.Emerg 0>6mclose 0>6mwriteString 0L $files:l
	Writer.Alert 0>6mclose 0>6mwriteString 0L $files:l
	Writer.Crit 0>6mclose 0>6mwriteString 0L $files:l
	Writer.Err 0>6mclose 0>6mwriteString 0L $files:l
	Writer.Warning 0>6mclose 0>6mwriteString 0L $files:l
	Writer.Notice 0>6mclose 0>6mwriteString 0L $files:l
	Writer.Info 0>6mclose 0>6mwriteString 0L $files:l
	Writer.Debug 0>6mclose 0>6mwriteString 0L $files:l
maps
	All 0r
	Clone 0r
	Collect 0c
	Copy 0w 1r
	DeleteFunc 0w 1c
	Equal 0r 1r
	EqualFunc 0r 1r 2c
	Insert 0w 1c
	Keys 0r
	Values 0r
math/big
	Float.SetPrec 0w 0w3.5
	Float.SetMode 0w 0w1
	Float.Prec 0r
	Float.MinPrec 0r3.5
	Float.Mode 0r1
	Float.Acc 0r
	Float.Sign 0r
	Float.MantExp 0r 1w
	Float.SetMantExp 0w 0w1.3.4.5 1r
	Float.Signbit 0r4
	Float.IsInf 0r3
	Float.IsInt 0r
	Float.SetUint64 0w 0w3.4.5
	Float.SetInt64 0w 0w3.4.5
	Float.SetFloat64 0w 0w3.4.5
	Float.SetInt 0w 0w3.4.5 1r
	Float.SetRat 0w 0w3.4.5 1r
	Float.SetInf 0w 0w3.4
	Float.Set 0w 0w3.4.5 1r
	Float.Copy 0w 0w1.3.4.5 1r
	Float.Uint64 0r
	Float.Int64 0r
	Float.Float32 0r
	Float.Float64 0r
	Float.Int 0r 1w
	Float.Rat 0r 1w
	Float.Abs 0w 0w3.4.5 1r
	Float.Neg 0w 0w3.4.5 1r
	Float.Add 0w 0w3.4.5 1r 2r
	Float.Sub 0w 0w3.4.5 1r 2r
	Float.Mul 0w 0w3.4.5 1r 2r
	Float.Quo 0w 0w3.4.5 1r 2r
	Float.Cmp 0r 1r
	Float.SetString 0w 0w3.4.5
	Float.Parse 0w 0w3.4.5
	Float.Scan 0w 0w3.4.5 1mReadByte 1mSkipSpace 1mUnreadByte
	Float.GobEncode 0r
	Float.GobDecode 0w 0w1.3.4.5 1r
	Float.AppendText 0r 1a 1w
	Float.MarshalText 0r
	Float.UnmarshalText 0w 0w3.4.5 1F 1r
	Float.Text 0r
	Float.String 0r
	Float.Append 0r 1a 1w
	Float.Format 0r 1mFlag 1mPrecision 1mWidth 1mWrite
	Float.Sqrt 0w 0w1.3.4.5 1r
	Int.Sign 0r
	Int.SetInt64 0w
	Int.SetUint64 0w
	Int.Set 0w 1r
	Int.Bits 0r
	Int.SetBits 0w 1r
	Int.Abs 0w 1r
	Int.Neg 0w 1r
	Int.Add 0w 1r 2r
	Int.Sub 0w 1r 2r
	Int.Mul 0w 1r 2r
	Int.MulRange 0w
	Int.Binomial 0w
	Int.Quo 0w 1r 2r
	Int.Rem 0w 1r 2r
	Int.QuoRem 0w 1r 2r 3w
	Int.Div 0w 1r 2r
	Int.Mod 0w 1r 2r
	Int.DivMod 0w 1r 2r 3w
	Int.Cmp 0r 1r
	Int.CmpAbs 0r 1r
	Int.Int64 0r
	Int.Uint64 0r
	Int.IsInt64 0r
	Int.IsUint64 0r
	Int.Float64 0r
	Int.SetString 0w
	Int.SetBytes 0w 1r
	Int.Bytes 0r
	Int.FillBytes 0r 1w
	Int.BitLen 0r
	Int.TrailingZeroBits 0r
	Int.Exp 0w 1r 2r 3r
	Int.GCD 0w 1w 2w 3r 4r
	Int.Rand 0w 1>0mInt63 1r 2r
	Int.ModInverse 0w 1r 2r
	Int.ModSqrt 0w 1r 2r
	Int.Lsh 0w 1r
	Int.Rsh 0w 1r
	Int.Bit 0r
	Int.SetBit 0w 1r
	Int.And 0w 1r 2r
	Int.AndNot 0w 1r 2r
	Int.Or 0w 1r 2r
	Int.Xor 0w 1r 2r
	Int.Not 0w 1r
	Int.Sqrt 0w 1r
	Int.Text 0r
	Int.Append 0r 1a
	Int.String 0r
	Int.Format 0r 1mFlag 1mPrecision 1mWidth 1mWrite
	Int.Scan 0w 1mReadByte 1mSkipSpace 1mUnreadByte
	Int.GobEncode 0r
	Int.GobDecode 0w 1r
	Int.AppendText 0r 1a
	Int.MarshalText 0r
	Int.UnmarshalText 0w 1F
	Int.MarshalJSON 0r
	Int.UnmarshalJSON 0w 1F 1r
	Int.ProbablyPrime 0r
	Jacobi 0r 1r
	Rat.SetFloat64 0w
	Rat.Float32 0r
	Rat.Float64 0r
	Rat.SetFrac 0w 1r 2r
	Rat.SetFrac64 0w
	Rat.SetInt 0w 1r
	Rat.SetInt64 0w
	Rat.SetUint64 0w
	Rat.Set 0w 1r
	Rat.Abs 0w 1r
	Rat.Neg 0w 1r
	Rat.Inv 0w 1r
	Rat.Sign 0r
	Rat.IsInt 0r
	Rat.Denom 0r
	Rat.Cmp 0r 1r
	Rat.Add 0w 1r 2r
	Rat.Sub 0w 1r 2r
	Rat.Mul 0w 1r 2r
	Rat.Quo 0w 1r 2r
	Rat.Scan 0w 1mToken
	Rat.SetString 0w
	Rat.String 0r
	Rat.RatString 0r
	Rat.FloatString 0r
	Rat.FloatPrec 0r
	Rat.GobEncode 0r
	Rat.GobDecode 0w 1r
	Rat.AppendText 0r 1a
	Rat.MarshalText 0r
	Rat.UnmarshalText 0w 1F 1r
	decimal.String 0r
	nat.String 0r
math/rand
	Rand.ExpFloat64 0>0mInt63 0r
	Rand.NormFloat64 0>0mInt63 0r
	Rand.Seed 0w
	Rand.Int63 0>0mInt63 0r
	Rand.Uint32 0>0mInt63 0r
	Rand.Uint64 0>0mInt63 0>1mUint64 0r
	Rand.Int31 0>0mInt63 0r
	Rand.Int 0>0mInt63 0r
	Rand.Int63n 0>0mInt63 0r
	Rand.Int31n 0>0mInt63 0r
	Rand.Intn 0>0mInt63 0r
	Rand.Float64 0>0mInt63 0r
	Rand.Float32 0>0mInt63 0r
	Rand.Perm 0>0mInt63 0r
	Rand.Shuffle 0>0mInt63 0r 2c
	Rand.Read 0w 1w
	Read 0w
	Shuffle 1c
	Zipf.Uint64 0r 0>0w
	lockedSource.Int63 0L
	lockedSource.Uint64 0L
	lockedSource.Seed 0L
	rngSource.Seed 0w
	rngSource.Int63 0w
	rngSource.Uint64 0w
math/rand/v2
	ChaCha8.Seed 0w
	ChaCha8.Uint64 0w
	ChaCha8.Read 0w 1w
	ChaCha8.UnmarshalBinary 0w 1r
	ChaCha8.AppendBinary 0r 1a
	ChaCha8.MarshalBinary 0r
	PCG.Seed 0w
	PCG.AppendBinary 0r 1a
	PCG.MarshalBinary 0r
	PCG.UnmarshalBinary 0w 1r
	PCG.Uint64 0w
	Rand.ExpFloat64 0>0mUint64 0r
	Rand.NormFloat64 0>0mUint64 0r
	Rand.Int64 0>0mUint64 0r
	Rand.Uint32 0>0mUint64 0r
	Rand.Uint64 0>0mUint64 0r
	Rand.Int32 0>0mUint64 0r
	Rand.Int 0>0mUint64 0r
	Rand.Uint 0>0mUint64 0r
	Rand.Int64N 0>0mUint64 0r
	Rand.Uint64N 0>0mUint64 0r
	Rand.Int32N 0>0mUint64 0r
	Rand.Uint32N 0>0mUint64 0r
	Rand.IntN 0>0mUint64 0r
	Rand.UintN 0>0mUint64 0r
	Rand.Float64 0>0mUint64 0r
	Rand.Float32 0>0mUint64 0r
	Rand.Perm 0>0mUint64 0r
	Rand.Shuffle 0>0mUint64 0r 2c
	Shuffle 1c
	Zipf.Uint64 0r 0>0w
mime
	AddExtensionType $mime:L
	FormatMediaType 1r
	TypeByExtension $mime:l
	WordDecoder.Decode 0r0
	WordDecoder.DecodeHeader 0r0
mime/multipart
	FileHeader.Open 0r2.3.4.5.6 $files:l
	Form.RemoveAll 0>1r 0r1 $files:L
	Part.FormName 0>0r 0>3r 0r0.2.3 0z2.3
	Part.FileName 0>0r 0>3r 0r0.3 0z2.3
	Part.Read 0>4mRead 0r4 1w
	Part.Close 0>4mRead 0r1.4
	Reader.ReadForm 0>0r 0>0w 0>2mRead 0>2mWriteTo 0w $environment:l $files:L
	Reader.NextPart 0>0r 0>0w 0>2mRead 0>2mWriteTo 0w
	Reader.NextRawPart 0>0r 0>0w 0>2mRead 0>2mWriteTo 0w
	Writer.Boundary 0r1
	Writer.SetBoundary 0r 0z1
	Writer.FormDataContentType 0r1
	Writer.CreatePart 0>0mReadFrom 0>0mWrite 0>2r 0>2w 0w 1r
	Writer.CreateFormFile 0>0mReadFrom 0>0mWrite 0>2r 0>2w 0w
	Writer.CreateFormField 0>0mReadFrom 0>0mWrite 0>2r 0>2w 0w
	Writer.WriteField 0>0mReadFrom 0>0mWrite 0>2r 0>2w 0w
	Writer.Close 0>0mWrite 0>2r 0>2w 0w
	part.Write 0>0r 0w 1r
	partReader.Read 0w 1w
	stickyErrorReader.Read 0>0mRead 0w 1w
mime/quotedprintable
	Reader.Read 0>0r 0>0w 0w 1w
	Writer.Write 0>1mWrite 0r0.1.2.3.4 0w2.3.4 1r
	Writer.Close 0>1mWrite 0r1.2.3 0w2.3
net
	AddrError.Error 0r0.1
	Buffers.WriteTo 0w 1mWrite 1mwriteBuffers
	Buffers.Read 0w 1w
	DNSConfigError.Unwrap 0r0
	DNSConfigError.Error 0>0mError 0r0
	DNSError.Unwrap 0r0
	DNSError.Error 0r1.2.3
	DNSError.Timeout 0r4
	DNSError.Temporary 0r4.5
	Dial $files:l
	DialIP 1>0r 1r 2>0r 2r0.1
	DialTCP 1>0r 1r 2>0r 2r0.1.2
	DialTimeout $files:l
	DialUDP 1>0r 1r 2>0r 2r0.1.2
	DialUnix 1r 2r0
	Dialer.MultipathTCP 0r11
	Dialer.SetMultipathTCP 0w11
	Dialer.Dial 0>2mNetwork 0>2mString 0L $files:l
	Dialer.DialContext 0>2mNetwork 0>2mString 0L 1c 1mDeadline 1mDone 1mErr 1mValue $files:l
	Dialer.DialTCP 0r 1c 1mDeadline 1mDone 1mErr
	Dialer.DialUDP 0r 1c 1mDeadline 1mDone 1mErr
	Dialer.DialIP 0r 1c 1mDeadline 1mDone 1mErr
	Dialer.DialUnix 0r 1c 1mDeadline 1mDone 1mErr 3r 4r0
	FileConn 0>0r 0r
	FileListener 0>0r 0r
	FilePacketConn 0>0r 0r
	HardwareAddr.String 0r
	IP.IsUnspecified 0r
	IP.IsLoopback 0r
	IP.IsPrivate 0r
	IP.IsMulticast 0r
	IP.IsInterfaceLocalMulticast 0r
	IP.IsLinkLocalMulticast 0r
	IP.IsLinkLocalUnicast 0r
	IP.IsGlobalUnicast 0r
	IP.To4 0r
	IP.To16 0r
	IP.DefaultMask 0r
	IP.Mask 0r 1r
	IP.String 0r
	IP.AppendText 0r 1a
	IP.MarshalText 0r
	IP.UnmarshalText 0w 1r
	IP.Equal 0r 1r
	IPAddr.String 0>0r 0r0.1
	IPConn.SyscallConn 0r
	IPConn.ReadFromIP 0r 1w
	IPConn.ReadFrom 0r 1w
	IPConn.ReadMsgIP 0r
	IPConn.WriteToIP 0r 2>0r 2r0.1
	IPConn.WriteTo 0r
	IPConn.WriteMsgIP 0r 3>0r 3r0.1
	IPMask.Size 0r
	IPMask.String 0r
	IPNet.Contains 0>0r 0>1r 0r0.1 1r
	IPNet.String 0>0r 0>1r 0r0.1
	Interface.Addrs 0r0
	Interface.MulticastAddrs 0r2 $files:l
	Listen $files:l
	ListenConfig.MultipathTCP 0r3
	ListenConfig.SetMultipathTCP 0w3
	ListenConfig.Listen 0r 1mDeadline 1mDone 1mErr 1mValue $files:l
	ListenConfig.ListenPacket 0r 1mDeadline 1mDone 1mErr 1mValue $files:l
	ListenIP 1>0r 1r
	ListenMulticastUDP 1r0 2>0r 2r
	ListenPacket $files:l
	ListenTCP 1>0r 1r
	ListenUDP 1>0r 1r
	ListenUnix 1r
	ListenUnixgram 1r
	LookupAddr $files:l
	LookupCNAME $files:l
	LookupHost $files:l
	LookupIP $files:l
	LookupMX $files:l
	LookupNS $files:l
	LookupSRV $files:l
	LookupTXT $files:l
	OpError.Unwrap 0r4
	OpError.Error 0>2mString 0>3mString 0>4mError 0r0.1.2.3.4
	OpError.Timeout 0>4mTimeout 0r4
	OpError.Temporary 0>4mTemporary 0r0.4
	ParseError.Error 0r0.1
	ResolveIPAddr $files:l
	ResolveTCPAddr $files:l
	ResolveUDPAddr $files:l
	Resolver.LookupHost 0r0.1.2 1mDone 1mErr $files:l
	Resolver.LookupIPAddr 0L 1mDone 1mErr 1mValue $files:l
	Resolver.LookupIP 0L 1mDone 1mErr 1mValue $files:l
	Resolver.LookupNetIP 0L 1mDone 1mErr 1mValue $files:l
	Resolver.LookupPort 0r0.2 1mDone 1mErr
	Resolver.LookupCNAME 0r0.1.2 1mDone 1mErr $files:l
	Resolver.LookupSRV 0r1.2 $files:l
	Resolver.LookupMX 0r1.2 $files:l
	Resolver.LookupNS 0r1.2 $files:l
	Resolver.LookupTXT 0r1.2 $files:l
	Resolver.LookupAddr 0r0.1.2 1mDone 1mErr $files:l
	TCPAddr.AddrPort 0>0r 0r0.1.2
	TCPAddr.String 0>0r 0r0.1.2
	TCPConn.SyscallConn 0r
	TCPConn.ReadFrom 0r 1>0mSyscallConn 1mRead 1mSyscallConn 1mWriteTo
	TCPConn.WriteTo 0r 1mReadFrom 1mWrite
	TCPConn.CloseRead 0r
	TCPConn.CloseWrite 0r
	TCPConn.SetLinger 0r
	TCPConn.SetKeepAlive 0r
	TCPConn.SetKeepAlivePeriod 0r
	TCPConn.SetNoDelay 0r
	TCPConn.MultipathTCP 0r
	TCPConn.SetKeepAliveConfig 0r
	TCPListener.SyscallConn 0r
	TCPListener.AcceptTCP 0>0r 0r
	TCPListener.Accept 0>0r 0r
	TCPListener.Close 0>0r 0r
	TCPListener.Addr 0>0r 0r
	TCPListener.SetDeadline 0r
	TCPListener.File 0>0r 0r
	UDPAddr.AddrPort 0>0r 0r0.1.2
	UDPAddr.String 0>0r 0r0.1.2
	UDPConn.SyscallConn 0r
	UDPConn.ReadFromUDP 0r
	UDPConn.ReadFrom 0r
	UDPConn.ReadFromUDPAddrPort 0r
	UDPConn.ReadMsgUDP 0r
	UDPConn.ReadMsgUDPAddrPort 0r
	UDPConn.WriteToUDP 0r 2>0r 2r0.1.2
	UDPConn.WriteToUDPAddrPort 0r
	UDPConn.WriteTo 0r
	UDPConn.WriteMsgUDP 0r 3>0r 3r0.1.2
	UDPConn.WriteMsgUDPAddrPort 0r
	UnixAddr.Network 0r1
	UnixAddr.String 0r0
	UnixConn.SyscallConn 0r
	UnixConn.CloseRead 0r
	UnixConn.CloseWrite 0r
	UnixConn.ReadFromUnix 0r
	UnixConn.ReadFrom 0r
	UnixConn.ReadMsgUnix 0r
	UnixConn.WriteToUnix 0r 2r0.1
	UnixConn.WriteTo 0r
	UnixConn.WriteMsgUnix 0r 3r0.1
	UnixListener.SyscallConn 0r
	UnixListener.AcceptUnix 0>0r 0r
	UnixListener.Accept 0>0r 0r
	UnixListener.Close 0>0r 0r
	UnixListener.Addr 0>0r 0r
	UnixListener.SetDeadline 0r
	UnixListener.File 0>0r 0r
	UnixListener.SetUnlinkOnClose 0w
	conn.Read 0>0r 0r
	conn.Write 0>0r 0r
	conn.Close 0>0r 0r
	conn.LocalAddr 0>0r 0r
	conn.RemoteAddr 0>0r 0r
	conn.SetDeadline 0>0r 0r
	conn.SetReadDeadline 0>0r 0r
	conn.SetWriteDeadline 0>0r 0r
	conn.SetReadBuffer 0>0r 0r
	conn.SetWriteBuffer 0>0r 0r
	conn.File 0>0r 0r
	notFoundError.Error 0r
	onlyValuesCtx.Value 0>1mDone 0>1mValue 0r1
	pipe.Read 0L 1w
	pipe.Write 0L
	pipe.SetDeadline 0L
	pipe.SetReadDeadline 0L
	pipe.SetWriteDeadline 0L
	policyTable.Classify 0r
	rawConn.Control 0>0r 0r
	rawConn.Read 0>0r 0r
	rawConn.Write 0>0r 0r
	rawConn.PollFD 0r
	rawConn.Network 0>0r 0r
	temporaryError.Error 0r
net/http
	AllowQuerySemicolons 0mServeHTTP
	Client.Get 0>0mCancelRequest 0>0mRoundTrip 0>2mCookies 0>2mSetCookies 0F 0l $log:L
	Client.Do 0>0mCancelRequest 0>0mRoundTrip 0>2mCookies 0>2mSetCookies 0F 0l 1>22mDeadline 1>5w 1>6mClose 1w $log:L
	Client.Post 0>0mCancelRequest 0>0mRoundTrip 0>2mCookies 0>2mSetCookies 0F 0l $log:L
	Client.PostForm 0>0mCancelRequest 0>0mRoundTrip 0>2mCookies 0>2mSetCookies 0F 0l 2r $log:L
	Client.Head 0>0mCancelRequest 0>0mRoundTrip 0>2mCookies 0>2mSetCookies 0F 0l $log:L
	Client.CloseIdleConnections 0>0mCloseIdleConnections 0r0
	ClientConn.Close 0>0mAvailable 0>0mClose 0>0mErr 0>0mInFlight 0L
	ClientConn.Err 0>0mErr 0r
	ClientConn.RoundTrip 0>0mAvailable 0>0mErr 0>0mInFlight 0>0mRelease 0>0mRoundTrip 0L 1>15r 1>5r 1r0.1.5.15
	ClientConn.Available 0>0mAvailable 0r
	ClientConn.InFlight 0>0mInFlight 0r
	ClientConn.Reserve 0>0mAvailable 0>0mErr 0>0mInFlight 0>0mReserve 0L
	ClientConn.Release 0>0mAvailable 0>0mErr 0>0mInFlight 0>0mRelease 0L
	ClientConn.SetStateHook 0>0mAvailable 0>0mErr 0>0mInFlight 0L
	Cookie.String 0r0.1.2.3.4.5.7.8.9.10.11 $log:L
	Cookie.Valid 0r0.1.3.4.5.8.11
	CrossOriginProtection.AddTrustedOrigin 0L
	CrossOriginProtection.AddInsecureBypassPattern 0S
	CrossOriginProtection.SetDenyHandler 0S
	CrossOriginProtection.Check 0l 1>5r 1r0.1.5.11
	CrossOriginProtection.Handler 1mServeHTTP
	DetectContentType 0r
	Dir.Open $files:l
	Error 0mHeader 0Kheader 0mWriteHeader 0mWrite
	Get $log:L
	Handle $http.DefaultServeMux:L
	HandleFunc $http.DefaultServeMux:L
	HandlerFunc.ServeHTTP 0c
	Head $log:L
	Header.Add 0w
	Header.Set 0w
	Header.Get 0r
	Header.Values 0r
	Header.Del 0w
	Header.Write 0r 1mWriteString
	Header.Clone 0r
	Header.WriteSubset 0r 1mWriteString 2r
	ListenAndServe 0>1mWrite 1>1mWrite $files:L
	ListenAndServeTLS 0>1mWrite 3>1mWrite $files:L
	MaxBytesHandler 0mServeHTTP
	NewRequest 2mLen
	NewRequestWithContext 3mLen
	NotFound 0mHeader 0Kheader 0mWriteHeader 0mWrite
	Post $log:L
	PostForm 1r $log:L
	ProtocolError.Error 0r0
	Protocols.SetHTTP1 0w
	Protocols.SetHTTP2 0w
	Protocols.SetUnencryptedHTTP2 0w
	ProxyFromEnvironment 0r1
	ReadRequest 0w 0Kfill
	ReadResponse 0w 0Kfill
	Redirect 0mHeader 0Kheader 0mWriteHeader 0mWrite 1r0.1
	Request.Context 0r22
	Request.WithContext 0r
	Request.Clone 0>12r 0>13r 0>15r 0>25r 0>5r 0>9r 0r
	Request.ProtoAtLeast 0r3.4
	Request.UserAgent 0>5r 0r5
	Request.Cookies 0>5r 0r5
	Request.CookiesNamed 0>5r 0r5
	Request.Cookie 0>5r 0r5
	Request.AddCookie 0>5w 0r5 1r0.1.2 $log:L
	Request.Referer 0>5r 0r5
	Request.MultipartReader 0>5r 0r5.6.14 0z14
	Request.Write 0>11mRead 0>12r 0>15mRead 0>15r 0>22mValue 0>5mRead 0>5r 0>6mClose 0>6mRead 0>8mRead 0>9mRead 0>9r 0R 0r0.1.3.4.5.6.7.8.9.10.11.12.15.22 1>3mWrite 1mReadFrom 1mWrite 1mWriteString
	Request.WriteProxy 0>11mRead 0>12r 0>15mRead 0>15r 0>22mValue 0>5mRead 0>5r 0>6mClose 0>6mRead 0>8mRead 0>9mRead 0>9r 0R 0r0.1.3.4.5.6.7.8.9.10.11.12.15.22 1>3mWrite 1mReadFrom 1mWrite 1mWriteString
	Request.BasicAuth 0>5r 0r5
	Request.SetBasicAuth 0>5w 0r5
	Request.ParseForm 0>12r 0>13r 0>5r 0>6mRead 0r0.1.5.6.12.13 0z12.13
	Request.ParseMultipartForm 0>12r 0>13r 0>5r 0>6mRead 0r0.1.5.6.12.13.14 0z12.13.14 $environment:l $files:L
	Request.FormValue 0>12r 0>13r 0>5r 0>6mRead 0r0.1.5.6.12.13.14 0z12.13.14 $environment:l $files:L
	Request.PostFormValue 0>12r 0>13r 0>5r 0>6mRead 0r0.1.5.6.12.13.14 0z12.13.14 $environment:l $files:L
	Request.FormFile 0>12r 0>13r 0>5r 0>6mRead 0r0.1.5.6.12.13.14 0z12.13.14 $environment:l $files:L
	Request.PathValue 0>23r 0>25r 0r23.24.25
	Request.SetPathValue 0>23r 0>25w 0r23.24.25 0z25
	Response.Cookies 0>5r 0r5
	Response.Location 0>5r 0r5.12
	Response.ProtoAtLeast 0r3.4
	Response.Write 0>5r 0>6mRead 0R 0r 1mReadFrom 1mWrite 1mWriteString
	ResponseController.Flush 0>0mFlush 0>0mFlushError 0>0mUnwrap 0r
	ResponseController.Hijack 0>0mHijack 0>0mUnwrap 0r
	ResponseController.SetReadDeadline 0>0mSetReadDeadline 0>0mUnwrap 0r
	ResponseController.SetWriteDeadline 0>0mSetWriteDeadline 0>0mUnwrap 0r
	ResponseController.EnableFullDuplex 0>0mEnableFullDuplex 0>0mUnwrap 0r
	Serve 0mAccept 0mClose 1>1mWrite $files:L
	ServeContent 0mHeader 0mReadFrom 0mWrite 0mWriteHeader 1>5r 1r0.5 4mRead 4mSeek $mime:l
	ServeFile 0mHeader 0mReadFrom 0mWrite 0mWriteHeader 1>22mValue 1>5r 1r0.1.5.22 $log:L $mime:l
	ServeFileFS 0mHeader 0mReadFrom 0mWrite 0mWriteHeader 1>22mValue 1>5r 1r0.1.5.22 2mOpen $log:L $mime:l
	ServeMux.Handler 0l 1r0.1.11
	ServeMux.ServeHTTP 0l 1mHeader 1mWriteHeader 2r0.1.3.4.11.17 2w21.23.24
	ServeMux.Handle 0L
	ServeMux.HandleFunc 0L
	ServeTLS 1>1mWrite $files:L
	Server.Close 0L
	Server.Shutdown 0L 1mDone 1mErr
	Server.RegisterOnShutdown 0L
	Server.ListenAndServe 0L $files:L
	Server.Serve 0L 1mAccept 1mClose $files:L
	Server.ServeTLS 0L $files:L
	Server.SetKeepAlivesEnabled 0L
	Server.ListenAndServeTLS 0L $files:L
	SetCookie 0mHeader 0Kheader
	StripPrefix 1mServeHTTP
	Transport.NewClientConn 0>0mAvailable 0>0mClose 0>0mErr 0>0mError 0>0mInFlight 0>0mRead 0>0mRemoteAddr 0>0mReset 0>0mSize 0>0mSum 0>0mWrite 0>0mmarshal 0>0moriginalBytes 0>11mError 0>11mReset 0>11mSize 0>11mSum 0>11mWrite 0>11mmarshal 0>11moriginalBytes 0>17mAs 0>17mAvailable 0>17mBlockSize 0>17mClone 0>17mClose 0>17mCryptBlocks 0>17mErr 0>17mError 0>17mGet 0>17mInFlight 0>17mMarshalBinary 0>17mOpen 0>17mOverhead 0>17mPut 0>17mRead 0>17mRemoteAddr 0>17mReset 0>17mSeal 0>17mSetIV 0>17mSize 0>17mSum 0>17mUnwrap 0>17mWrite 0>17mXORKeyStream 0>17mexplicitNonceLen 0>17mmarshal 0>17moriginalBytes 0>18mAs 0>18mAvailable 0>18mBlockSize 0>18mClone 0>18mClose 0>18mCryptBlocks 0>18mErr 0>18mError 0>18mGet 0>18mInFlight 0>18mMarshalBinary 0>18mOpen 0>18mOverhead 0>18mPut 0>18mRead 0>18mRemoteAddr 0>18mReset 0>18mSeal 0>18mSetIV 0>18mSize 0>18mSum 0>18mUnwrap 0>18mWrite 0>18mXORKeyStream 0>18mexplicitNonceLen 0>18mmarshal 0>18moriginalBytes 0>19mAs 0>19mAvailable 0>19mBlockSize 0>19mClone 0>19mClose 0>19mCryptBlocks 0>19mErr 0>19mError 0>19mGet 0>19mInFlight 0>19mMarshalBinary 0>19mOpen 0>19mOverhead 0>19mPut 0>19mRead 0>19mRemoteAddr 0>19mReset 0>19mSeal 0>19mSetIV 0>19mSize 0>19mSum 0>19mUnwrap 0>19mWrite 0>19mXORKeyStream 0>19mexplicitNonceLen 0>19mmarshal 0>19moriginalBytes 0>1mRead 0>20mAs 0>20mAvailable 0>20mBlockSize 0>20mClone 0>20mClose 0>20mCryptBlocks 0>20mErr 0>20mError 0>20mGet 0>20mInFlight 0>20mMarshalBinary 0>20mOpen 0>20mOverhead 0>20mPut 0>20mRead 0>20mRemoteAddr 0>20mReset 0>20mSeal 0>20mSetIV 0>20mSize 0>20mSum 0>20mUnwrap 0>20mWrite 0>20mXORKeyStream 0>20mexplicitNonceLen 0>20mmarshal 0>20moriginalBytes 0>23mAs 0>23mAvailable 0>23mBlockSize 0>23mClone 0>23mClose 0>23mCryptBlocks 0>23mErr 0>23mError 0>23mGet 0>23mInFlight 0>23mMarshalBinary 0>23mOpen 0>23mOverhead 0>23mPut 0>23mRead 0>23mRemoteAddr 0>23mReset 0>23mSeal 0>23mSetIV 0>23mSize 0>23mSum 0>23mUnwrap 0>23mWrite 0>23mXORKeyStream 0>23mexplicitNonceLen 0>23mmarshal 0>23moriginalBytes 0>28mError 0>28mReset 0>28mSize 0>28mSum 0>28mWrite 0>28mmarshal 0>28moriginalBytes 0>30mAvailable 0>30mClose 0>30mErr 0>30mInFlight 0>30mRead 0>31mAvailable 0>31mClose 0>31mErr 0>31mInFlight 0>31mRead 0>33mBlockSize 0>33mCryptBlocks 0>33mOpen 0>33mOverhead 0>33mReset 0>33mSetIV 0>33mSize 0>33mSum 0>33mWrite 0>33mXORKeyStream 0>33mexplicitNonceLen 0>33mmarshal 0>33moriginalBytes 0>34mAs 0>34mBlockSize 0>34mCryptBlocks 0>34mOverhead 0>34mReset 0>34mSeal 0>34mSetIV 0>34mSize 0>34mSum 0>34mUnwrap 0>34mWrite 0>34mXORKeyStream 0>34mexplicitNonceLen 0>34mmarshal 0>34moriginalBytes 0>3mClose 0>3mWrite 0>3mmarshal 0>3moriginalBytes 0>4mClone 0>4mMarshalBinary 0>4mReset 0>4mSum 0>4mWrite 0>6mAvailable 0>6mErr 0>6mInFlight 0F 0L 1c 1mDeadline 1mDone 1mErr 1mValue $files:l $log:L
	Transport.RoundTrip 0>0mClose 0>0mError 0>0mRead 0>0mRemoteAddr 0>0mReset 0>0mSize 0>0mSum 0>0mWrite 0>0mmarshal 0>0moriginalBytes 0>11mError 0>11mReset 0>11mSize 0>11mSum 0>11mWrite 0>11mmarshal 0>11moriginalBytes 0>17mAs 0>17mBlockSize 0>17mClone 0>17mClose 0>17mCryptBlocks 0>17mErr 0>17mError 0>17mGet 0>17mMarshalBinary 0>17mOpen 0>17mOverhead 0>17mPut 0>17mRead 0>17mRemoteAddr 0>17mReset 0>17mSeal 0>17mSetIV 0>17mSize 0>17mSum 0>17mUnwrap 0>17mWrite 0>17mXORKeyStream 0>17mexplicitNonceLen 0>17mmarshal 0>17moriginalBytes 0>18mAs 0>18mBlockSize 0>18mClone 0>18mClose 0>18mCryptBlocks 0>18mErr 0>18mError 0>18mGet 0>18mMarshalBinary 0>18mOpen 0>18mOverhead 0>18mPut 0>18mRead 0>18mRemoteAddr 0>18mReset 0>18mSeal 0>18mSetIV 0>18mSize 0>18mSum 0>18mUnwrap 0>18mWrite 0>18mXORKeyStream 0>18mexplicitNonceLen 0>18mmarshal 0>18moriginalBytes 0>19mAs 0>19mBlockSize 0>19mClone 0>19mClose 0>19mCryptBlocks 0>19mErr 0>19mError 0>19mGet 0>19mMarshalBinary 0>19mOpen 0>19mOverhead 0>19mPut 0>19mRead 0>19mRemoteAddr 0>19mReset 0>19mSeal 0>19mSetIV 0>19mSize 0>19mSum 0>19mUnwrap 0>19mWrite 0>19mXORKeyStream 0>19mexplicitNonceLen 0>19mmarshal 0>19moriginalBytes 0>1mRead 0>20mAs 0>20mBlockSize 0>20mClone 0>20mClose 0>20mCryptBlocks 0>20mErr 0>20mError 0>20mGet 0>20mMarshalBinary 0>20mOpen 0>20mOverhead 0>20mPut 0>20mRead 0>20mRemoteAddr 0>20mReset 0>20mSeal 0>20mSetIV 0>20mSize 0>20mSum 0>20mUnwrap 0>20mWrite 0>20mXORKeyStream 0>20mexplicitNonceLen 0>20mmarshal 0>20moriginalBytes 0>23mAs 0>23mBlockSize 0>23mClone 0>23mClose 0>23mCryptBlocks 0>23mErr 0>23mError 0>23mGet 0>23mMarshalBinary 0>23mOpen 0>23mOverhead 0>23mPut 0>23mRead 0>23mRemoteAddr 0>23mReset 0>23mSeal 0>23mSetIV 0>23mSize 0>23mSum 0>23mUnwrap 0>23mWrite 0>23mXORKeyStream 0>23mexplicitNonceLen 0>23mmarshal 0>23moriginalBytes 0>28mError 0>28mReset 0>28mSize 0>28mSum 0>28mWrite 0>28mmarshal 0>28moriginalBytes 0>30mClose 0>30mRead 0>31mClose 0>31mRead 0>33mBlockSize 0>33mCryptBlocks 0>33mOpen 0>33mOverhead 0>33mReset 0>33mSetIV 0>33mSize 0>33mSum 0>33mWrite 0>33mXORKeyStream 0>33mexplicitNonceLen 0>33mmarshal 0>33moriginalBytes 0>34mAs 0>34mBlockSize 0>34mCryptBlocks 0>34mOverhead 0>34mReset 0>34mSeal 0>34mSetIV 0>34mSize 0>34mSum 0>34mUnwrap 0>34mWrite 0>34mXORKeyStream 0>34mexplicitNonceLen 0>34mmarshal 0>34moriginalBytes 0>3mClose 0>3mWrite 0>3mmarshal 0>3moriginalBytes 0>4mClone 0>4mMarshalBinary 0>4mReset 0>4mSum 0>4mWrite 0>6mErr 0F 0L 1>22mValue 1>6mClose 1l $files:l $log:L
	Transport.Clone 0l
	Transport.RegisterProtocol 0L
	Transport.CloseIdleConnections 0>36mCloseIdleConnections 0L $files:l $log:L
	Transport.CancelRequest 0L
	body.Read 0>0mRead 0L 1w
	body.Close 0>0mRead 0L
	bodyEOFSignal.Read 0>0mRead 0L 1w
	bodyEOFSignal.Close 0>0mClose 0L
	bodyLocked.Read 0>0mRead 0w 1w
	bufioFlushWriter.Write 0>3mWrite 0w 1r
	byteReader.Read 0w 1w
	cancelTimerBody.Read 0>1mRead 0r 1w
	cancelTimerBody.Close 0>1mClose 0r
	checkConnErrorWriter.Write 0>2mWrite 0w 1r
	chunkWriter.Write 0l 1r
	connReader.Read 0>0mRead 0L 1w
	contextKey.String 0r
	countingWriter.Write 0w
	expectContinueReader.Read 0>1mRead 0L 1w
	expectContinueReader.Close 0>1mClose 0S
	extraHeader.Write 0r 1w
	fileHandler.ServeHTTP 0>0mOpen 0r 1mHeader 1mReadFrom 1mWrite 1mWriteHeader 2>22mValue 2>5r 2r0.1.5.22 $log:L $mime:l
	fileTransport.RoundTrip 1>22mValue 1>5r 1r0.1.5.22 $log:L $mime:l
	finishAsyncByteRead.Read 0r 1w
	globalOptionsHandler.ServeHTTP 1mHeader 2r6.8
	gzipReader.Read 0L 1w
	gzipReader.Close 0L
	http1ClientConn.RoundTrip 0>1mAs 0>1mBlockSize 0>1mClone 0>1mClose 0>1mCryptBlocks 0>1mErr 0>1mError 0>1mGet 0>1mMarshalBinary 0>1mOpen 0>1mOverhead 0>1mPut 0>1mRead 0>1mReadFrom 0>1mRemoteAddr 0>1mReset 0>1mSeal 0>1mSetDeadline 0>1mSetIV 0>1mSize 0>1mSum 0>1mUnwrap 0>1mWrite 0>1mWriteString 0>1mXORKeyStream 0>1mexplicitNonceLen 0>1mmarshal 0>1moriginalBytes 0>3mClose 0F 0L 1>22mValue 1r19.22 1w12 $files:l $log:L
	http1ClientConn.Close 0>1mAs 0>1mBlockSize 0>1mClone 0>1mClose 0>1mCryptBlocks 0>1mErr 0>1mError 0>1mGet 0>1mMarshalBinary 0>1mOpen 0>1mOverhead 0>1mPut 0>1mRead 0>1mReadFrom 0>1mRemoteAddr 0>1mReset 0>1mSeal 0>1mSetDeadline 0>1mSetIV 0>1mSize 0>1mSum 0>1mUnwrap 0>1mWrite 0>1mWriteString 0>1mXORKeyStream 0>1mexplicitNonceLen 0>1mmarshal 0>1moriginalBytes 0>3mClose 0F 0L $files:l $log:L
	http1ClientConn.Err 0r
	http1ClientConn.Available 0L
	http1ClientConn.InFlight 0L
	http1ClientConn.Reserve 0L
	http1ClientConn.Release 0L
	http2ClientConn.SetDoNotReuse 0L
	http2ClientConn.CanTakeNewRequest 0L
	http2ClientConn.ReserveNewRequest 0L
	http2ClientConn.State 0L
	http2ClientConn.Shutdown 0>1mClose 0L 1mDone 1mErr $log:L
	http2ClientConn.Close 0>1mClose 0L
	http2ClientConn.RoundTrip 0>1mClose 0F 0L 1>15r 1>19mClose 1>19mDone 1>19mErr 1>19mLen 1>19mRead 1>22mClose 1>22mDone 1>22mErr 1>22mLen 1>22mRead 1>22mValue 1>5r 1>6mClose 1>6mDone 1>6mErr 1>6mLen 1>6mRead 1F 1r0.1.5.6.8.10.11.15.19.22 $files:L $log:L
	http2ClientConn.Ping 0L 1mDone 1mErr $files:L $log:L
	http2ContinuationFrame.HeaderBlockFragment 0r
	http2ContinuationFrame.HeadersEnded 0r
	http2DataFrame.StreamEnded 0r
	http2DataFrame.Data 0r
	http2FrameWriteRequest.StreamID 0r1
	http2FrameWriteRequest.DataSize 0r1
	http2FrameWriteRequest.Consume 0w
	http2FrameWriteRequest.String 0F 0r1
	http2Framer.SetReuseFrames 0r23 0z23
	http2Framer.SetMaxReadFrameSize 0w6
	http2Framer.ErrorDetail 0r2
	http2Framer.ReadFrameHeader 0>0mRead 0r0.4.5.6.7.14 0w2.4.5.7
	http2Framer.ReadFrameForHeader 0>0mRead 0>15w 0>1minvalidate 0r0.1.3.4.5.6.7.8.14.15.16.17.21.23 0w1.2.4.5.7 $log:L
	http2Framer.ReadFrame 0>0mRead 0>15w 0>1minvalidate 0r0.1.3.4.5.6.7.8.14.15.16.17.21.23 0w1.2.4.5.7 $log:L
	http2Framer.WriteData 0>11mWrite 0>20w 0r11.12.13.18.19.20.22 0w12 0z19.20 3r $log:L
	http2Framer.WriteDataPadded 0>11mWrite 0>20w 0r11.12.13.18.19.20.22 0w12 0z19.20 3r 4r $log:L
	http2Framer.WriteSettings 0>11mWrite 0>20w 0r11.12.18.19.20.22 0w12 0z19.20 1r $log:L
	http2Framer.WriteSettingsAck 0>11mWrite 0>20w 0r11.12.18.19.20.22 0w12 0z19.20 $log:L
	http2Framer.WritePing 0>11mWrite 0>20w 0r11.12.18.19.20.22 0w12 0z19.20 $log:L
	http2Framer.WriteGoAway 0>11mWrite 0>20w 0r11.12.18.19.20.22 0w12 0z19.20 3r $log:L
	http2Framer.WriteWindowUpdate 0>11mWrite 0>20w 0r11.12.13.18.19.20.22 0w12 0z19.20 $log:L
	http2Framer.WriteHeaders 0>11mWrite 0>20w 0r11.12.13.18.19.20.22 0w12 0z19.20 1r $log:L
	http2Framer.WritePriority 0>11mWrite 0>20w 0r11.12.13.18.19.20.22 0w12 0z19.20 $log:L
	http2Framer.WriteRSTStream 0>11mWrite 0>20w 0r11.12.13.18.19.20.22 0w12 0z19.20 $log:L
	http2Framer.WriteContinuation 0>11mWrite 0>20w 0r11.12.13.18.19.20.22 0w12 0z19.20 3r $log:L
	http2Framer.WritePushPromise 0>11mWrite 0>20w 0r11.12.13.18.19.20.22 0w12 0z19.20 1r $log:L
	http2Framer.WriteRawFrame 0>11mWrite 0>20w 0r11.12.18.19.20.22 0w12 0z19.20 4r $log:L
	http2GoAwayFrame.DebugData 0r0.3
	http2HeadersFrame.HeaderBlockFragment 0r0.2
	http2HeadersFrame.HeadersEnded 0r0
	http2HeadersFrame.StreamEnded 0r0
	http2HeadersFrame.HasPriority 0r0
	http2MetaHeadersFrame.PseudoValue 0>1r 0r1
	http2MetaHeadersFrame.RegularFields 0>1r 0r1
	http2MetaHeadersFrame.PseudoFields 0>1r 0r1
	http2PingFrame.IsAck 0r0
	http2PushPromiseFrame.HeaderBlockFragment 0r0.2
	http2PushPromiseFrame.HeadersEnded 0r0
	http2Server.ServeConn 0>0mRead 0>11mWrite 0>13mAdjustStream 0>13mClose 0>13mCloseStream 0>13mOpenStream 0>13mPop 0>13mPush 0>13mRead 0>13mRemoteAddr 0>13mServeHTTP 0>13mSetReadDeadline 0>13mSetWriteDeadline 0>13mdoKeepAlives 0>1minvalidate 0F 0L 1>0mRead 1>11mWrite 1>1minvalidate 1F 1mAdjustStream 1mClose 1mCloseStream 1mConnectionState 1mLocalAddr 1mOpenStream 1mPop 1mPush 1mRead 1mRemoteAddr 1mServeHTTP 1mSetReadDeadline 1mSetWriteDeadline 1mdoKeepAlives 2>1mAdjustStream 2>1mClose 2>1mCloseStream 2>1mOpenStream 2>1mPop 2>1mPush 2>1mRead 2>1mRemoteAddr 2>1mServeHTTP 2>1mSetReadDeadline 2>1mSetWriteDeadline 2>1mdoKeepAlives 2>2mAdjustStream 2>2mClose 2>2mCloseStream 2>2mOpenStream 2>2mPop 2>2mPush 2>2mRead 2>2mRemoteAddr 2>2mServeHTTP 2>2mSetReadDeadline 2>2mSetWriteDeadline 2>2mdoKeepAlives 2r0.1.2.3.4.5 2w3.4 $files:L $log:L
	http2SettingsFrame.IsAck 0r
	http2SettingsFrame.Value 0r
	http2SettingsFrame.Setting 0r
	http2SettingsFrame.NumSettings 0r
	http2SettingsFrame.HasDuplicates 0r
	http2SettingsFrame.ForeachSetting 0r 1c
	http2StreamError.Error 0F
	http2StreamError.As 0R 1W
	http2Transport.RoundTrip 0>18mGetClientConn 0>18mMarkDead 0r5.18 1>15r 1>19mClose 1>19mDone 1>19mErr 1>19mLen 1>19mRead 1>22mClose 1>22mDone 1>22mErr 1>22mLen 1>22mRead 1>22mValue 1>5r 1>6mClose 1>6mDone 1>6mErr 1>6mLen 1>6mRead 1F 1r $files:L $log:L
	http2Transport.RoundTripOpt 0>18mGetClientConn 0>18mMarkDead 0r5.18 1>15r 1>19mClose 1>19mDone 1>19mErr 1>19mLen 1>19mRead 1>22mClose 1>22mDone 1>22mErr 1>22mLen 1>22mRead 1>22mValue 1>5r 1>6mClose 1>6mDone 1>6mErr 1>6mLen 1>6mRead 1F 1r $files:L $log:L
	http2Transport.CloseIdleConnections 0>18mcloseIdleConnections 0r18
	http2Transport.NewClientConn 0>0mClose 0>0mRead 0>11mWrite 0>15mClose 0>15mConnectionState 0>15mRemoteAddr 0>15mWrite 0>19r 0>19w 0>1minvalidate 0>3mWrite 0r0.1.2.3.6.7.8.9.10.11.12.13.14.15.16.18.19.20.22 0w0.2.3.6.12.15.16 0z19.20 1>0mClose 1>0mRead 1>11mWrite 1>1minvalidate 1>3mWrite 1F 1mClose 1mConnectionState 1mRemoteAddr 1mWrite $files:L $log:L
	http2UnknownFrame.Payload 0r
	http2bufferedWriter.Available 0>2r 0r
	http2bufferedWriter.Write 0>2r 0>2w 0r 0z2 1r
	http2bufferedWriter.Flush 0>2r 0>2w 0w
	http2bufferedWriterTimeoutWriter.Write 0>1mSetWriteDeadline 0>1mWrite 0r 1r
	http2chunkWriter.Write 0L 1r
	http2clientConnPool.GetClientConn 0>0mClose 0>0mConnectionState 0>0mRemoteAddr 0>0mWrite 0F 0L 0c 1>22mDeadline 1>22mDone 1>22mErr 1>22mValue 1>5r 1F 1r5.10.22 $files:L $log:L
	http2clientConnPool.MarkDead 0L
	http2closeWaiter.Init 0w
	http2dataBuffer.Read 0w 1w
	http2dataBuffer.Len 0r
	http2dataBuffer.Write 0w 1r
	http2gzipReader.Read 0L 1w
	http2gzipReader.Close 0>1mClose 0L
	http2httpError.Error 0r
	http2httpError.Timeout 0r
	http2netHTTPClientConn.RoundTrip 0>1mClose 0F 0L 1>15r 1>19mClose 1>19mDone 1>19mErr 1>19mLen 1>19mRead 1>22mClose 1>22mDone 1>22mErr 1>22mLen 1>22mRead 1>22mValue 1>5r 1>6mClose 1>6mDone 1>6mErr 1>6mLen 1>6mRead 1F 1r0.1.5.6.8.10.11.15.19.22 $files:L $log:L
	http2netHTTPClientConn.Close 0>1mClose 0L
	http2netHTTPClientConn.Err 0L
	http2netHTTPClientConn.Reserve 0L
	http2netHTTPClientConn.Release 0L
	http2netHTTPClientConn.Available 0L
	http2netHTTPClientConn.InFlight 0L
	http2noDialClientConnPool.GetClientConn 0>0mClose 0>0mConnectionState 0>0mRemoteAddr 0>0mWrite 0F 0L 0c 1>22mDeadline 1>22mDone 1>22mErr 1>22mValue 1>5r 1F 1r5.10.22 $files:L $log:L
	http2noDialH2RoundTripper.RoundTrip 0>18mGetClientConn 0>18mMarkDead 0r 1>15r 1>19mClose 1>19mDone 1>19mErr 1>19mLen 1>19mRead 1>22mClose 1>22mDone 1>22mErr 1>22mLen 1>22mRead 1>22mValue 1>5r 1>6mClose 1>6mDone 1>6mErr 1>6mLen 1>6mRead 1F 1r $files:L $log:L
	http2noDialH2RoundTripper.NewClientConn 0>0mClose 0>0mRead 0>11mWrite 0>15mClose 0>15mConnectionState 0>15mRemoteAddr 0>15mWrite 0>1minvalidate 0>3mWrite 0w 1>0mClose 1>0mRead 1>11mWrite 1>1minvalidate 1>3mWrite 1F 1mClose 1mConnectionState 1mRemoteAddr 1mWrite 2>0mClose 2>0mRead 2>11mWrite 2>1minvalidate 2>3mWrite 2w $files:L $log:L
	http2pipe.Len 0>2mLen 0L
	http2pipe.Read 0>2mLen 0>2mRead 0L 1w
	http2pipe.Write 0>2mWrite 0L 1r
	http2pipe.CloseWithError 0>2mLen 0L
	http2pipe.BreakWithError 0>2mLen 0L
	http2pipe.Err 0L
	http2pipe.Done 0L
	http2priorityWriteSchedulerRFC7540.OpenStream 0>1w 0w
	http2priorityWriteSchedulerRFC7540.CloseStream 0>1r 0w
	http2priorityWriteSchedulerRFC7540.AdjustStream 0>1w 0w 1w
	http2priorityWriteSchedulerRFC7540.Push 0>1r 0w 1r
	http2priorityWriteSchedulerRFC7540.Pop 0>9mLen 0>9mLess 0>9mSwap 0w
	http2priorityWriteSchedulerRFC9218.OpenStream 0>2w 0w
	http2priorityWriteSchedulerRFC9218.CloseStream 0>2w 0w
	http2priorityWriteSchedulerRFC9218.AdjustStream 0>2w 0w
	http2priorityWriteSchedulerRFC9218.Push 0>2r 0w 1r
	http2priorityWriteSchedulerRFC9218.Pop 0w
	http2randomWriteScheduler.CloseStream 0>1w 0w
	http2randomWriteScheduler.Push 0>1w 0w 1r
	http2randomWriteScheduler.Pop 0>1w 0w
	http2requestBody.Read 0L 1w
	http2responseWriter.SetReadDeadline 0L
	http2responseWriter.SetWriteDeadline 0>0r 0r
	http2responseWriter.Flush 0L
	http2responseWriter.FlushError 0L
	http2responseWriter.CloseNotify 0L
	http2responseWriter.Header 0>0r 0r
	http2responseWriter.WriteHeader 0>0r 0>0w 0r
	http2responseWriter.Write 0>0r 0>0w 0r 1r
	http2responseWriter.WriteString 0>0r 0>0w 0r
	http2responseWriter.Push 0>0r 0r 2>1r 2r0.1 2w0 2z1
	http2roundRobinWriteScheduler.OpenStream 0>1w 0>2r 0w
	http2roundRobinWriteScheduler.CloseStream 0>1w 0w
	http2roundRobinWriteScheduler.Push 0>1r 0w 1r
	http2roundRobinWriteScheduler.Pop 0>2r 0>2w 0w
	http2serverConn.Framer 0r
	http2serverConn.CloseConn 0>2mClose 0r
	http2serverConn.Flush 0>3w 0r
	http2serverConn.HeaderEncoder 0r
	http2sortPriorityNodeSiblingsRFC7540.Swap 0w
	http2sortPriorityNodeSiblingsRFC7540.Less 0r
	http2sorter.Len 0r
	http2sorter.Swap 0r
	http2sorter.Less 0r
	http2sorter.Keys 0w 1r
	http2sorter.SortStrings 0w
	http2stickyErrWriter.Write 0w 1r
	http2transportResponseBody.Read 0>20mClose 0>5mLen 0>5mRead 0L 1w $log:L
	http2transportResponseBody.Close 0>1mDone 0>20mClose 0>5mLen 0L $log:L
	http2unencryptedTransport.RoundTrip 0>18mGetClientConn 0>18mMarkDead 0r5.18 1>15r 1>19mClose 1>19mDone 1>19mErr 1>19mLen 1>19mRead 1>22mClose 1>22mDone 1>22mErr 1>22mLen 1>22mRead 1>22mValue 1>5r 1>6mClose 1>6mDone 1>6mErr 1>6mLen 1>6mRead 1F 1r $files:L $log:L
	http2writeData.String 0r
	initALPNRequest.ServeHTTP 0>0mRemoteAddr 0>1mServeHTTP 0r 2r0.6.16.17.18 2w6.16 2z18
	ioFile.Read 1w
	loggingConn.Write 0>1mWrite 0r0.1 1r $log:L
	loggingConn.Read 0>1mRead 0r0.1 1w $log:L
	loggingConn.Close 0>1mClose 0r0.1 $log:L
	maxBytesReader.Read 0>0mrequestTooLarge 0>1mRead 0w 1w
	maxBytesReader.Close 0>1mClose 0r1
	onceCloseListener.Close 0r2
	pattern.String 0r
	persistConn.Read 0>3mRead 0w 1w
	persistConnWriter.Write 0>3mWrite 0w 1r
	persistConnWriter.ReadFrom 0>3mReadFrom 0>3mWrite 0w 1mRead 1mWriteTo
	populateResponse.Header 0r
	populateResponse.WriteHeader 0w
	populateResponse.Write 0w
	readTrackingBody.Read 0>0mRead 0r0 0w1 1w
	readTrackingBody.Close 0>0mClose 0S
	readWriteCloserBody.Read 0>1r 0>1w 0>2mRead 0r1.2 0w1 1w
	readWriteCloserBody.CloseWrite 0>2mCloseWrite 0r2
	redirectHandler.ServeHTTP 0r 1mHeader 1mWrite 1mWriteHeader 2r0.1
	response.SetReadDeadline 0>0r 0r
	response.SetWriteDeadline 0>0r 0r
	response.EnableFullDuplex 0w
	response.ReadFrom 0L 1mRead 1mWriteTo
	response.Header 0>11r 0w
	response.WriteHeader 0L
	response.Write 0L 1r
	response.WriteString 0L
	response.Flush 0L
	response.FlushError 0L
	response.Hijack 0L
	response.CloseNotify 0L
	serverHandler.ServeHTTP 0>1mServeHTTP 0r 2r0.17
	socksAddr.String 0>1r 0r0.1.2
	socksConn.BoundAddr 0r1
	socksDialer.DialContext 0>4r 0r0.1.2.3.4.5 1c 1mDeadline 1mDone 1mErr 1mValue $files:l
	socksDialer.DialWithConn 0>4r 0r0.2.4.5 1mDeadline 1mDone 1mErr 2mRead 2mSetDeadline 2mWrite
	socksDialer.Dial 0>4r 0r0.1.2.3.4.5 $files:l
	socksUsernamePassword.Authenticate 0r0.1 2mRead 2mWrite
	timeoutError.Error 0r
	timeoutHandler.ServeHTTP 0>0mServeHTTP 0>3mDone 0>3mErr 0r 1mHeader 1mWrite 1mWriteHeader 1mWriteString 2r
	timeoutWriter.Push 0>0mPush 0r
	timeoutWriter.Header 0r
	timeoutWriter.Write 0L 1r $log:L
	timeoutWriter.WriteHeader 0L $log:L
	transportReadFromServerError.Error 0F
	unencryptedHTTP2Request.ServeHTTP 0>1mServeHTTP 0r 2r0.6.16.17 2w6.16
	unsupportedTEError.Error 0r
net/http/cgi
	Handler.ServeHTTP 0>7mDone 0>7mErr 0>7mRead 0>7mReadFrom 0>7mWrite 0>7mWriteTo 0>8mServeHTTP 0F 0L 1mHeader 1mReadFrom 1mWrite 1mWriteHeader 2>6mDone 2>6mErr 2>6mRead 2>6mReadFrom 2>6mWrite 2>6mWriteTo 2F 2S $environment:l $files:L
	Request $environment:l
	RequestFromMap 0r
	Serve 0mServeHTTP $environment:l
	neverEnding.Read 1w
	response.Flush 0>5r 0>5w 0r5
	response.Header 0r1
	response.Write 0>1w 0>5mWrite 0>5mWriteString 0>5r 0>5w 0w 1r
	response.WriteHeader 0w
net/http/cookiejar
	Jar.Cookies 0>0mPublicSuffix 0L 1r0.3.4
	Jar.SetCookies 0>0mPublicSuffix 0L 1r0.3.4 2r
	New 0r0
net/http/fcgi
	ProcessEnv 0>22mValue 0r22
	Serve 0mAccept
	bufWriter.Close 0>0mClose 0>1r 0>1w 0r0.1
	conn.Close 0>1mClose 0L
	response.Header 0r1
	response.Write 0>1w 0>5mWrite 0>5mWriteString 0w 1r
	response.WriteHeader 0>1w 0w
	response.Flush 0>1w 0w
	response.Close 0>1w 0w
	streamWriter.Write 0>0mWrite 0L 1r
	streamWriter.Close 0>0mWrite 0L
net/http/httptest
	NewServer $files:L
	NewTLSServer $files:L
	NewUnstartedServer $files:l
	ResponseRecorder.Header 0r1 0z1
	ResponseRecorder.Write 0>1w 0>2w 0r0.1.2.6 0w0.5.6 0z1 1r
	ResponseRecorder.WriteString 0>1w 0>2w 0r0.1.2.6 0w0.5.6 0z1
	ResponseRecorder.WriteHeader 0>1r 0r1.6 0w0.5.6 0z1
	ResponseRecorder.Flush 0>1r 0r1.6 0w0.3.5.6 0z1
	ResponseRecorder.Result 0>2r 0r0.1.2.5 0w4
	Server.Start 0>1mAccept 0>1mAddr 0>1mClose 0r0.1.4.10 0w0 0z10 $files:L
	Server.StartTLS 0>1mAccept 0>1mAddr 0>1mClose 0l $files:L
	Server.Close 0>1mClose 0F 0L $log:L
	Server.CloseClientConnections 0L
	Server.Certificate 0r5
	Server.Client 0r10
net/http/httptrace
	ContextClientTrace 0mValue
	WithClientTrace 0mValue 1W
net/http/httputil
	ClientConn.Hijack 0L
	ClientConn.Close 0>1mClose 0>2mClose 0L
	ClientConn.Write 0L 1r10
	ClientConn.Pending 0L
	ClientConn.Read 0>5mClose 0F 0L 1w
	ClientConn.Do 0>5mClose 0F 0L 1w
	DumpRequest 0>5r 0>6mClose 0>6mRead 0>6mWriteTo 0>9r 0r0.1.3.4.5.6.9.11.17 0w6
	DumpRequestOut 0>22mValue 0>6mClose 0>6mRead 0l $files:l $log:L
	DumpResponse 0>5r 0>6mClose 0>6mRead 0R 0r 0w6.7
	NewSingleHostReverseProxy 0r0.3.4.6.7
	ProxyRequest.SetURL 0r1 1r0.3.4.6.7
	ProxyRequest.SetXForwarded 0r0.1
	ReverseProxy.ServeHTTP 0>1mRoundTrip 0>4mGet 0>4mPut 0L 1F 1mCloseNotify 1mHeader 1mWrite 1mWriteHeader 2>12r 2>13r 2>15r 2>22mDone 2>22mValue 2>25r 2>5w 2>9r 2r
	ServerConn.Hijack 0L
	ServerConn.Close 0>1mClose 0>2mClose 0L
	ServerConn.Read 0>5mClose 0F 0L
	ServerConn.Pending 0L
	ServerConn.Write 0>1mReadFrom 0>1mWrite 0>1mWriteString 0L 2>5r 2>6mRead 2R 2r
	delegateReader.Read 0>2mRead 0w 1w
	maxLatencyWriter.Write 0>0mWrite 0L 1r
	neverEnding.Read 1w
	noopCloseReader.Close 0S
	noopCloseReader.Read 0>0mRead 0l 1w
net/http/pprof
	Cmdline 0mHeader 0mWrite
	Index 0mHeader 0mWrite 0mWriteHeader 1>12r 1>13r 1>22mDone 1>22mErr 1>22mValue 1>5r 1>6mRead 1r0.1.5.6.12.13.14.22 1z12.13.14 $environment:l $files:L $log:L
	Profile 0mHeader 0mWrite 0mWriteHeader 1>12r 1>13r 1>22mDone 1>22mValue 1>5r 1>6mRead 1r0.1.5.6.12.13.14.22 1z12.13.14 $environment:l $files:L
	Symbol 0mHeader 0mWrite 1F 1r0.1.6
	Trace 0mHeader 0mWrite 0mWriteHeader 1>12r 1>13r 1>22mDone 1>22mValue 1>5r 1>6mRead 1r0.1.5.6.12.13.14.22 1z12.13.14 $environment:l $files:L
	handler.ServeHTTP 1mHeader 1mWrite 1mWriteHeader 2>12r 2>13r 2>22mDone 2>22mErr 2>22mValue 2>5r 2>6mRead 2r0.1.5.6.12.13.14.22 2z12.13.14 $environment:l $files:L
net/mail
	Address.String 0r0.1
	AddressParser.Parse 0r0 $log:L
	AddressParser.ParseList 0r0 $log:L
	Header.Get 0r
	Header.Date 0r
	Header.AddressList 0r $log:L
	ParseAddress $log:L
	ParseAddressList $log:L
	ReadMessage 0mRead
	debugT.Printf 2F $log:L
net/netip
	Addr.AppendTo 1a
	Addr.AppendText 1a
	Addr.UnmarshalText 0w 1r
	Addr.AppendBinary 1a
	Addr.UnmarshalBinary 0w 1r
	AddrFromSlice 0r
	AddrPort.AppendTo 1a
	AddrPort.AppendText 1a
	AddrPort.UnmarshalText 0w 1r
	AddrPort.AppendBinary 1a
	AddrPort.UnmarshalBinary 0w 1r
	Prefix.AppendTo 1a
	Prefix.AppendText 1a
	Prefix.UnmarshalText 0w 1r
	Prefix.AppendBinary 1a
	Prefix.UnmarshalBinary 0w 1r
net/smtp
	Client.Close 0r0
	Client.Hello 0L
	Client.StartTLS 0>1mAs 0>1mBlockSize 0>1mClone 0>1mClose 0>1mCryptBlocks 0>1mError 0>1mMarshalBinary 0>1mOpen 0>1mOverhead 0>1mRemoteAddr 0>1mReset 0>1mSeal 0>1mSetIV 0>1mSize 0>1mSum 0>1mUnwrap 0>1mWrite 0>1mXORKeyStream 0>1mexplicitNonceLen 0>1mmarshal 0>1moriginalBytes 0F 0L 1>0mError 1>0mRead 1>0mRemoteAddr 1>0mReset 1>0mSize 1>0mSum 1>0mWrite 1>0mmarshal 1>0moriginalBytes 1>11mError 1>11mReset 1>11mSize 1>11mSum 1>11mWrite 1>11mmarshal 1>11moriginalBytes 1>19mGet 1>19mPut 1>28mError 1>28mReset 1>28mSize 1>28mSum 1>28mWrite 1>28mmarshal 1>28moriginalBytes 1>33mBlockSize 1>33mCryptBlocks 1>33mOpen 1>33mOverhead 1>33mReset 1>33mSetIV 1>33mSize 1>33mSum 1>33mWrite 1>33mXORKeyStream 1>33mexplicitNonceLen 1>33mmarshal 1>33moriginalBytes 1>34mBlockSize 1>34mCryptBlocks 1>34mOverhead 1>34mReset 1>34mSeal 1>34mSetIV 1>34mSize 1>34mSum 1>34mWrite 1>34mXORKeyStream 1>34mexplicitNonceLen 1>34mmarshal 1>34moriginalBytes 1>3mmarshal 1>3moriginalBytes 1>4mClone 1>4mMarshalBinary 1>4mReset 1>4mSum 1>4mWrite 1>6mErr 1F 1l
	Client.TLSConnectionState 0L
	Client.Verify 0L
	Client.Auth 0L 1mNext 1mStart
	Client.Mail 0L
	Client.Rcpt 0L
	Client.Data 0L
	Client.Extension 0L
	Client.Reset 0L
	Client.Noop 0L
	Client.Quit 0L
	Dial $files:l
	SendMail 1mNext 1mStart 3r 4r $files:l
	cramMD5Auth.Next 0r 1r
	dataCloser.Close 0>1mClose 0r0.1
	plainAuth.Start 0r 1r0.1
net/textproto
	Conn.Close 0>3mClose 0r3
	Conn.Cmd 0>1mWrite 0L 2F
	Dial $files:l
	Error.Error 0r0.1
	MIMEHeader.Add 0w
	MIMEHeader.Set 0w
	MIMEHeader.Get 0r
	MIMEHeader.Values 0r
	MIMEHeader.Del 0w
	Pipeline.Next 0L
	Pipeline.StartRequest 0L
	Pipeline.EndRequest 0L
	Pipeline.StartResponse 0L
	Pipeline.EndResponse 0L
	Reader.ReadLine 0>0r 0>0w 0>1r 0>1w 0r0.1
	Reader.ReadLineBytes 0>0r 0>0w 0>1r 0>1w 0r0.1
	Reader.ReadContinuedLine 0>0r 0>0w 0>1r 0>1w 0r0.1.2 0w2
	Reader.ReadContinuedLineBytes 0>0r 0>0w 0>1r 0>1w 0r0.1.2 0w2
	Reader.ReadCodeLine 0>0r 0>0w 0>1r 0>1w 0r0.1
	Reader.ReadResponse 0>0r 0>0w 0>1r 0>1w 0r0.1
	Reader.DotReader 0>1r 0>1w 0r1 0w1
	Reader.ReadDotBytes 0>1mRead 0>1r 0>1w 0r1 0w1
	Reader.ReadDotLines 0>0r 0>0w 0>1r 0>1w 0r0.1
	Reader.ReadMIMEHeader 0>0r 0>0w 0>1r 0>1w 0r0.1.2 0w2
	TrimBytes 0r
	Writer.PrintfLine 0>0mWrite 0>0r 0>0w 0>1r 0r0.1 2F
	Writer.DotWriter 0>1r 0r1 0w1
	dotReader.Read 0w 1w
	dotWriter.Write 0w 1r
	dotWriter.Close 0r
	sequencer.Start 0L
	sequencer.End 0L
net/url
	Error.Unwrap 0r2
	Error.Error 0F 0r0.1.2
	Error.Timeout 0>2mTimeout 0r2
	Error.Temporary 0>2mTemporary 0r2
	JoinPath 1r
	URL.EscapedPath 0r4.7
	URL.EscapedFragment 0r5.8
	URL.String 0>2r 0r0.1.2.3.4.5.6.7.8.9.10
	URL.Redacted 0r
	URL.IsAbs 0r0
	URL.Parse 0r0.1.2.3.4.5.6.7.8
	URL.ResolveReference 0r0.1.2.3.4.5.6.7.8 1r
	URL.Query 0r6
	URL.RequestURI 0r0.1.4.6.7.9
	URL.Hostname 0r3
	URL.Port 0r3
	URL.MarshalBinary 0>2r 0r0.1.2.3.4.5.6.7.8.9.10
	URL.AppendBinary 0>2r 0r0.1.2.3.4.5.6.7.8.9.10 1a
	URL.UnmarshalBinary 0w 1r
	URL.JoinPath 0r 1r
	Userinfo.Username 0r
	Userinfo.Password 0r
	Userinfo.String 0r
	Values.Get 0r
	Values.Set 0w
	Values.Add 0w
	Values.Del 0w
	Values.Has 0r
	Values.Encode 0r
os
	Chdir $files:L
	Chmod $files:L
	Chtimes $files:L
	Clearenv $environment:L
	CopyFS 1mOpen 1mReadDir 1mReadLink 1mStat $files:L
	Create $files:L
	CreateTemp $environment:l $files:L
	Environ $environment:l
	Executable $files:l
	Expand 1c
	File.Readdir 0r $files:l
	File.Readdirnames 0r $files:l
	File.ReadDir 0r $files:l
	File.Name 0>0r 0r
	File.Read 0r 1w $files:L
	File.ReadAt 0r 1w $files:l
	File.ReadFrom 0>0r 0r 1>0mSyscallConn 1mRead 1mSyscallConn 1mWriteTo
	File.Write 0r 1r $files:L
	File.WriteAt 0r 1r $files:L
	File.WriteTo 0>0r 0r 1mReadFrom 1mSyscallConn 1mWrite
	File.Seek 0r $files:L
	File.WriteString 0r $files:L
	File.Chmod 0>0r 0r
	File.SetDeadline 0r
	File.SetReadDeadline 0r
	File.SetWriteDeadline 0r
	File.Fd 0>0r 0r
	File.Close 0r
	File.Chown 0>0r 0r
	File.Truncate 0r $files:L
	File.Sync 0>0r 0r
	File.Chdir 0>0r 0r $files:l
	File.Stat 0r $files:l
	Getenv $environment:l
	Getwd $files:l
	Hostname $files:L
	Link $files:L
	LinkError.Error 0>3mError 0r0.1.2.3
	LinkError.Unwrap 0r3
	LookupEnv $environment:l
	Lstat $files:l
	Mkdir $files:L
	MkdirAll $files:L
	MkdirTemp $environment:l $files:L
	Open $files:l
	OpenFile $files:L
	Process.Release 0S
	Process.Kill 0S
	Process.Wait 0S
	Process.Signal 0S
	Process.WithHandle 0S 1c
	ProcessState.UserTime 0r
	ProcessState.SystemTime 0r
	ProcessState.Exited 0r
	ProcessState.Success 0r
	ProcessState.Sys 0r
	ProcessState.SysUsage 0r
	ProcessState.Pid 0r
	ProcessState.String 0r
	ProcessState.ExitCode 0r
	ReadDir $files:l
	ReadFile $files:l
	Readlink $files:l
	Remove $files:L
	RemoveAll $files:L
	Rename $files:L
	Root.Name 0>0r 0r
	Root.Close 0L
	Root.Open 0L
	Root.Create 0L
	Root.OpenFile 0L
	Root.OpenRoot 0L
	Root.Chmod 0L
	Root.Mkdir 0L
	Root.MkdirAll 0L
	Root.Chown 0L
	Root.Lchown 0L
	Root.Chtimes 0L
	Root.Remove 0L
	Root.RemoveAll 0L
	Root.Stat 0L
	Root.Lstat 0L
	Root.Readlink 0L
	Root.Rename 0L
	Root.Link 0L
	Root.Symlink 0L
	Root.ReadFile 0L $files:L
	Root.WriteFile 0L 2r $files:L
	Setenv $environment:L
	StartProcess 1r 2>1r 2>2r 2r0.1.2.3 $environment:l $files:l
	Stat $files:l
	Symlink $files:L
	SyscallError.Error 0>1mError 0r0.1
	SyscallError.Unwrap 0r1
	SyscallError.Timeout 0>1mTimeout 0r1
	TempDir $environment:l
	Truncate $files:L
	Unsetenv $environment:L
	UserCacheDir $environment:l
	UserConfigDir $environment:l
	UserHomeDir $environment:l
	WriteFile 1r $files:L
	dirFS.Open $files:l
	dirFS.ReadFile $files:L
	dirFS.ReadDir $files:l
	dirFS.Stat $files:l
	dirFS.Lstat $files:l
	dirFS.ReadLink $files:l
	fileStat.Name 0r
	fileStat.IsDir 0r
	fileStat.Size 0r
	fileStat.Mode 0r
	fileStat.ModTime 0r
	rawConn.Control 0>0r 0r
	rawConn.Read 0>0r 0r
	rawConn.Write 0>0r 0r
	root.Close 0L
	root.Name 0r
	rootFS.Open 0L
	rootFS.ReadDir 0L $files:l
	rootFS.ReadFile 0L $files:L
	rootFS.ReadLink 0L
	rootFS.Stat 0L
	rootFS.Lstat 0L
	unixDirent.Name 0r
	unixDirent.IsDir 0r
	unixDirent.Type 0r
	unixDirent.Info 0r $files:l
	unixDirent.String 0r
os/exec
	Cmd.String 0>1r 0r0.1.12.21
	Cmd.Run 0>11mDone 0>11mErr 0>4mRead 0>4mWriteTo 0>5mReadFrom 0>5mWrite 0>6mReadFrom 0>6mWrite 0S $environment:l $files:L
	Cmd.Start 0>11mDone 0>11mErr 0>4mRead 0>4mWriteTo 0>5mReadFrom 0>5mWrite 0>6mReadFrom 0>6mWrite 0S $environment:l $files:L
	Cmd.Wait 0r9.10.14.16.18.19 0z10.16.18
	Cmd.Output 0>11mDone 0>11mErr 0>4mRead 0>4mWriteTo 0>5mReadFrom 0>5mWrite 0>6mReadFrom 0>6mWrite 0S $environment:l $files:L
	Cmd.CombinedOutput 0>11mDone 0>11mErr 0>4mRead 0>4mWriteTo 0>5mReadFrom 0>5mWrite 0>6mReadFrom 0>6mWrite 0S $environment:l $files:L
	Cmd.StdinPipe 0r4.9.15.16 0z4.15.16
	Cmd.StdoutPipe 0r5.9.15.16 0z5.15.16
	Cmd.StderrPipe 0r6.9.15.16 0z6.15.16
	Cmd.Environ 0>2r 0r2.3.8 $environment:l $files:l
	Command 1r $environment:l $files:l
	CommandContext 2r $environment:l $files:l
	Error.Error 0>1mError 0r0.1
	Error.Unwrap 0r1
	ExitError.Error 0>0r 0r0
	LookPath $environment:l $files:l
	prefixSuffixSaver.Write 0r0.1.2.3.4 0w1.2.3.4 1r
	prefixSuffixSaver.Bytes 0r1.2.3.4
os/signal
	Ignore 0r
	Notify 1r
	NotifyContext 1r
	Reset 0r
	signalCtx.String 0>0mString 0r0.2
os/user
	User.GroupIds 0r1.2
path
	Join 0r
path/filepath
	Abs $files:l
	EvalSymlinks $files:l
	Glob $files:l
	Join 0r
	Walk 1c $files:l
	WalkDir 1c $files:l
regexp
	Regexp.String 0r0
	Regexp.Copy 0r
	Regexp.Longest 0w
	Regexp.NumSubexp 0r3
	Regexp.SubexpNames 0r5
	Regexp.SubexpIndex 0r5
	Regexp.LiteralPrefix 0r6.12
	Regexp.MatchReader 0r
	Regexp.MatchString 0r
	Regexp.Match 0r
	Regexp.ReplaceAllString 0r
	Regexp.ReplaceAllLiteralString 0r
	Regexp.ReplaceAllStringFunc 0r 2c
	Regexp.ReplaceAll 0r 1r 2r
	Regexp.ReplaceAllLiteral 0r 1r 2r
	Regexp.ReplaceAllFunc 0r 1r 2c
	Regexp.Find 0r
	Regexp.FindIndex 0r
	Regexp.FindString 0r
	Regexp.FindStringIndex 0r
	Regexp.FindReaderIndex 0r
	Regexp.FindSubmatch 0r
	Regexp.Expand 0r5 1a 2r 3r 4r
	Regexp.ExpandString 0r5 1a 4r
	Regexp.FindSubmatchIndex 0r
	Regexp.FindStringSubmatch 0r
	Regexp.FindStringSubmatchIndex 0r
	Regexp.FindReaderSubmatchIndex 0r
	Regexp.FindAll 0r
	Regexp.FindAllIndex 0r
	Regexp.FindAllString 0r
	Regexp.FindAllStringIndex 0r
	Regexp.FindAllSubmatch 0r
	Regexp.FindAllSubmatchIndex 0r
	Regexp.FindAllStringSubmatch 0r
	Regexp.FindAllStringSubmatchIndex 0r
	Regexp.Split 0r
	Regexp.AppendText 0r0 1a
	Regexp.MarshalText 0r0
	Regexp.UnmarshalText 0w 0w0.3.5.6.12 1r
regexp/syntax
	Compile 0>2r 0>4r 0r0.1.2.4.8
	Error.Error 0r0.1
	Inst.MatchRune 0>3r 0r2.3
	Inst.MatchRunePos 0>3r 0r2.3
	Inst.MatchEmptyWidth 0r2
	Inst.String 0>3r 0r0.1.2.3
	Parse 1a 1w
	Prog.String 0>0r 0r0.1
	Prog.Prefix 0>0r 0r0.1
	Prog.StartCond 0>0r 0r0.1
	Regexp.Equal 0>2r 0>4r 0r0.1.2.4.6.7.8.9 1>2r 1>4r 1r0.1.2.4.6.7.8.9
	Regexp.String 0>2r 0>4r 0r0.1.2.4.6.7.9
	Regexp.MaxCap 0>2r 0r0.2.8
	Regexp.CapNames 0>2r 0r0.2.8.9
	Regexp.Simplify 0>2r 0r 0w2
	ranges.Less 0r
	ranges.Len 0r
	ranges.Swap 0r
slices
	All 0r
	AppendSeq 0a 1c
	Backward 0r
	BinarySearch 0r
	BinarySearchFunc 0r 2c
	Clone 0r
	Collect 0c
	Compact 0w
	CompactFunc 0w 1c
	Compare 0r 1r
	CompareFunc 0r 1r 2c
	Concat 0e
	Contains 0r
	ContainsFunc 0r 1c
	Delete 0w
	DeleteFunc 0w 1c
	Equal 0r 1r
	EqualFunc 0r 1r 2c
	Grow 0r
	Index 0r
	IndexFunc 0r 1c
	Insert 0a 0w 2r
	IsSorted 0r
	IsSortedFunc 0r 1c
	Max 0r
	MaxFunc 0r 1c
	Min 0r
	MinFunc 0r 1c
	Repeat 0r
	Replace 0a 0w 3r
	Reverse 0w
	Sort 0w
	SortFunc 0w 1c
	SortStableFunc 0w 1c
	Sorted 0c
	SortedFunc 0c 1c
	SortedStableFunc 0c 1c
	Values 0r
	xorshift.Next 0w
sort
	Find 1c
	Float64Slice.Search 0r
	Float64Slice.Less 0r
	Float64Slice.Swap 0w
	Float64Slice.Sort 0w
	Float64s 0w
	Float64sAreSorted 0r
	IntSlice.Search 0r
	IntSlice.Less 0r
	IntSlice.Swap 0w
	IntSlice.Sort 0w
	Ints 0w
	IntsAreSorted 0r
	IsSorted 0mLen 0mLess
	Search 1c
	SearchFloat64s 0r
	SearchInts 0r
	SearchStrings 0r
	Slice 0w 1c
	SliceIsSorted 0r 1c
	SliceStable 0w 1c
	Sort 0mLen 0mLess 0mSwap
	Stable 0mLen 0mLess 0mSwap
	StringSlice.Search 0r
	StringSlice.Less 0r
	StringSlice.Swap 0w
	StringSlice.Sort 0w
	Strings 0w
	StringsAreSorted 0r
	xorshift.Next 0w
strconv
	AppendBool 0a
	AppendFloat 0a
	AppendInt 0a
	AppendQuote 0a 0r
	AppendQuoteRune 0a
	AppendQuoteRuneToASCII 0a
	AppendQuoteRuneToGraphic 0a
	AppendQuoteToASCII 0a 0r
	AppendQuoteToGraphic 0a 0r
	AppendUint 0a
	NumError.Error 0>2mError 0r0.1.2
	NumError.Unwrap 0r2
strings
	Builder.String 0r
	Builder.Len 0r
	Builder.Cap 0r
	Builder.Reset 0w
	Builder.Grow 0w
	Builder.Write 0w 1r
	Builder.WriteByte 0w
	Builder.WriteRune 0w
	Builder.WriteString 0w
	ContainsFunc 1c
	FieldsFunc 1c
	FieldsFuncSeq 1c
	IndexFunc 1c
	Join 0r
	LastIndexFunc 1c
	Map 0c
	NewReplacer 0r
	Reader.Len 0r
	Reader.Size 0r0
	Reader.Read 0w 1w
	Reader.ReadAt 0r0 1w
	Reader.ReadByte 0w
	Reader.UnreadByte 0w
	Reader.ReadRune 0w
	Reader.UnreadRune 0w
	Reader.Seek 0w
	Reader.WriteTo 0w 1mWrite 1mWriteString
	Reader.Reset 0w 0w0
	Replacer.Replace 0>1mReplace 0r
	Replacer.WriteString 1mWriteString 1mWrite
	ToLowerSpecial 0r
	ToTitleSpecial 0r
	ToUpperSpecial 0r
	TrimFunc 1c
	TrimLeftFunc 1c
	TrimRightFunc 1c
	appendSliceWriter.Write 0w 1r
	appendSliceWriter.WriteString 0w
	byteReplacer.Replace 0r
	byteReplacer.WriteString 0r 1mWrite 1mWriteString
	byteStringReplacer.Replace 0r
	byteStringReplacer.WriteString 0r 1mWrite 1mWriteString
	genericReplacer.Replace 0r
	genericReplacer.WriteString 0r 1mWriteString
	singleStringReplacer.Replace 0>0r 0r
	singleStringReplacer.WriteString 0>0r 0r 1mWriteString
testing
	B.Run 0F 2F
	Benchmark 0F
	chattyPrinter.Updatef 3F
	chattyPrinter.Printf 3F
	common.Log 1F
	common.Logf 2F
	common.Error 1F
	common.Errorf 2F
	common.Fatal 1F
	common.Fatalf 2F
	common.Skip 1F
	common.Skipf 2F
	common.ArtifactDir 0F
	common.TempDir 0F
testing/cryptotest
	SetGlobalRandom 0L
	lockedReader.Read 0L 1w
testing/fstest
	MapFS.Open 0r
	MapFS.ReadLink 0r
	MapFS.Lstat 0r
	MapFS.ReadFile 0r
	MapFS.Stat 0r
	MapFS.ReadDir 0r
	MapFS.Glob 0r
	TestFS 0mGlob 0mLstat 0mOpen 0mReadDir 0mReadFile 0mStat 0mSub 1r
	mapDir.Read 0r0
	mapDir.ReadDir 0w
	mapFileInfo.Name 0r
	mapFileInfo.Size 0r
	mapFileInfo.Mode 0r
	mapFileInfo.Type 0r
	mapFileInfo.ModTime 0r
	mapFileInfo.IsDir 0r
	mapFileInfo.Sys 0r
	mapFileInfo.String 0r
	openMapFile.Read 0w 1w
	openMapFile.Seek 0w
	openMapFile.ReadAt 0r 1w
testing/iotest
	TestReader 0mRead 0mReadAt 0mSeek 1F 1r
	dataErrReader.Read 0>0mRead 0w 1w
	errReader.Read 0r
	halfReader.Read 0>0mRead 0r 1w
	oneByteReader.Read 0>0mRead 0r 1w
	readLogger.Read 0>1mRead 0r 1w $log:L
	smallByteReader.Read 0>0mRead 0w 1w
	timeoutReader.Read 0>0mRead 0w 1w
	truncateWriter.Write 0>0mWrite 0w 1r
	writeLogger.Write 0>1mWrite 0r 1F 1r $log:L
testing/quick
	Check 1>2r 1r0.1.2.3
	CheckEqual 2>2r 2r0.1.2.3
	CheckEqualError.Error 0>1r 0>2r 0F 0r0.1.2
	CheckError.Error 0>1r 0F 0r0.1
	Value 1>0mInt63 1>1mUint64 1r
testing/slogtest
	Run 0>0mWrite 0>2mWrite 0L 1c 2c
	TestHandler 1c
	replace.LogValue 0r
	replace.String 0F 0r
	wrapper.Handle 0>0mHandle 0r0.1
text/scanner
	Position.IsValid 0r2
	Scanner.Init 0w0.1.2.3.4.5.6.7.8.10.12.13.14.15.16.18
	Scanner.Next 0>0mRead 0r0.1.2.3.4.5.6.7.8.9.10.12.13.14.18 0w1.2.3.4.5.6.7.8.9.10.11.12.14.18
	Scanner.Peek 0>0mRead 0r0.1.2.3.4.5.6.7.8.9.10.12.13.14.18 0w1.2.3.4.5.6.7.8.9.10.11.12.14
	Scanner.Scan 0>0mRead 0r0.1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18 0w1.2.3.4.5.6.7.8.9.10.11.12.14.18
	Scanner.Pos 0r2.4.5.6.7.8.18
	Scanner.TokenText 0r1.9.10.11 0w9.10.11
text/tabwriter
	Writer.Init 0w
	Writer.Flush 0>0mWrite 0w
	Writer.Write 0>0mWrite 0w 1r
text/template
	HTMLEscape 0mWrite 1r
	HTMLEscaper 0R 0w
	IsTrue 0R
	JSEscape 0mWrite 1r
	JSEscaper 0R 0w
	ParseFS 0mGlob 0mOpen 0mReadDir 0mReadFile 0mStat 1r
	ParseFiles 0r
	ParseGlob $files:l
	Template.ExecuteTemplate 0l 1mWrite 3R
	Template.Execute 0r 1mWrite 2R
	Template.DefinedTemplates 0l
	Template.ParseFiles 0L 1r
	Template.ParseGlob 0L $files:l
	Template.ParseFS 0L 1mGlob 1mOpen 1mReadDir 1mReadFile 1mStat 2r
	Template.Option 0>2w 0r2 0z2 1r
	Template.Name 0r0
	Template.New 0r2.3.4 0z2
	Template.Clone 0l 0r3.4
	Template.AddParseTree 0L 2>2mString 2r2
	Template.Templates 0l
	Template.Delims 0r2 0w3.4 0z2
	Template.Funcs 0L 1r
	Template.Lookup 0l
	Template.Parse 0L 0w1 0r3.4
	URLQueryEscaper 0R 0w
text/template/parse
	ActionNode.String 0r4
	ActionNode.Copy 0r1.2.3.4
	BoolNode.String 0r3
	BoolNode.Copy 0r1.2.3
	BranchNode.String 0r0.4.5.6
	BranchNode.Copy 0r0.1.2.3.4.5.6
	BreakNode.Copy 0r0.2.3
	ChainNode.Add 0r4 0w4
	ChainNode.String 0>3mwriteTo 0>4r 0r3.4
	ChainNode.Copy 0>4r 0r1.2.3.4
	CommandNode.String 0>3r 0r3
	CommandNode.Copy 0>3r 0r1.2.3
	CommentNode.String 0r3
	CommentNode.Copy 0r1.2.3
	ContinueNode.Copy 0r0.2.3
	DotNode.Copy 0r1.2
	FieldNode.String 0>3r 0r3
	FieldNode.Copy 0>3r 0r1.2.3
	IdentifierNode.SetPos 0w1
	IdentifierNode.SetTree 0w2
	IdentifierNode.String 0r3
	IdentifierNode.Copy 0r1.2.3
	IfNode.Copy 0r0
	IsEmptyTree 0mString
	ListNode.String 0>3r 0r3
	ListNode.CopyList 0>3r 0r1.2.3
	ListNode.Copy 0>3r 0r1.2.3
	NilNode.Copy 0r1.2
	NumberNode.String 0r11
	NumberNode.Copy 0r
	PipeNode.String 0>5r 0>6r 0r4.5.6
	PipeNode.CopyPipe 0>5r 0>6r 0r1.2.3.4.5.6
	PipeNode.Copy 0>5r 0>6r 0r1.2.3.4.5.6
	RangeNode.Copy 0r0
	StringNode.String 0r3
	StringNode.Copy 0r1.2.3.4
	TemplateNode.String 0r4.5
	TemplateNode.Copy 0r1.2.3.4.5
	TextNode.String 0F 0r3
	TextNode.Copy 0>3r 0r1.2.3
	Tree.Copy 0r0.1.2.4
	Tree.ErrorContext 0r1.4 1mPosition 1mString 1mtree
	Tree.Parse 0>10w 0>2mString 0>6r 0>6w 0r0.1.2.3.4.5.6.7.8.9.10.11.12.13 0w1.2.4.5.6.7.8.9.10.11.12.13
	VariableNode.String 0>3r 0r3
	VariableNode.Copy 0>3r 0r1.2.3
	WithNode.Copy 0r0
	elseNode.Copy 0r1.2.3
	endNode.Copy 0r1.2
unicode
	In 1r
	Is 0>0r 0>1r 0r0.1
	IsOneOf 0r
	SpecialCase.ToUpper 0r
	SpecialCase.ToTitle 0r
	SpecialCase.ToLower 0r
unicode/utf16
	AppendRune 0a
	Decode 0r
	Encode 0r
unicode/utf8
	AppendRune 0a
	DecodeLastRune 0r
	DecodeRune 0r
	EncodeRune 0w
	FullRune 0r
	RuneCount 0r
	Valid 0r
go/format
	Source 0r
reflect
	Copy 0Kwrite 1Kelements
	DeepEqual 0D 1D
	Append 0Kadd
	AppendSlice 0Kadd 1Kelements
	Value.Bool 0r
	Value.Bytes 0r
	Value.Complex 0r
	Value.Float 0r
	Value.Int 0r
	Value.Interface 0r
	Value.IsNil 0r
	Value.IsZero 0r
	Value.Call 0Kcall
	Value.CallSlice 0Kcall
	Value.Cap 0r
	Value.Clear 0Kwrite
	Value.Comparable 0r
	Value.Convert 0r
	Value.Elem 0r
	Value.Equal 0r 1r
	Value.Grow 0w
	Value.Len 0r 0Kmap
	Value.MapIndex 0r 0Kmap
	Value.MapKeys 0r 0Kmap
	Value.MapRange 0r 0Kmap
	Value.Pointer 0r
	Value.Seq 0r 0Kmap 0Kelements
	Value.Seq2 0r 0Kmap 0Kelements
	Value.Set 0w
	Value.SetBool 0w
	Value.SetBytes 0w
	Value.SetComplex 0w
	Value.SetFloat 0w
	Value.SetInt 0w
	Value.SetIterKey 0w
	Value.SetIterValue 0w
	Value.SetLen 0w
	Value.SetMapIndex 0r 0Kwrite
	Value.SetPointer 0w
	Value.SetString 0w
	Value.SetUint 0w
	Value.SetZero 0w
	Value.String 0r
	Value.Uint 0r
`
