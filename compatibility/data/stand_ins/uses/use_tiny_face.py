"""Calls what detection.py of YOLOv3-tiny-FaceDetection offers, which has no script of its own."""

from detection import Detector, YOLOv3_tiny, model_validate
from imageSolver import WIDER

LIST = "wider/wider_face_split/wider_face_{}_bbx_gt.txt"

net = YOLOv3_tiny()
net.build(boxNum=4, learning_rate=1e-5)
net.train(WIDER("wider/WIDER_train/images", LIST.format("train"), maxBoxNum=4), epoches=2, batchSize=1, stopRounds=1)
net.save("saved")
model_validate(WIDER("wider/WIDER_val/images", LIST.format("val"), maxBoxNum=4), batchSize=2, modelSavePath="saved")
_, boxes = Detector("saved")(["wider/WIDER_val/images/0--Parade/0.jpg"], confidence_threshold=0.3)
for each in boxes:
    print(f"boxes: {len(each)} {each.mean() if len(each) else 0:.3f}")
